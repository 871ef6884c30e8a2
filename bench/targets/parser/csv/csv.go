// Package csv reads with encoding/csv and writes the result.
package csv

import (
	"bytes"
	"encoding/csv"
	"io"
)

// Target reads b with different options.
func Target(b []byte) {
	for _, options := range []csv.Reader{
		{Comma: ','},
		{Comma: ';', Comment: '#', FieldsPerRecord: -1, LazyQuotes: true, TrimLeadingSpace: true},
	} {
		r := csv.NewReader(bytes.NewReader(b))
		r.Comma, r.Comment, r.FieldsPerRecord = options.Comma, options.Comment, options.FieldsPerRecord
		r.LazyQuotes, r.TrimLeadingSpace = options.LazyQuotes, options.TrimLeadingSpace
		records, err := r.ReadAll()
		if err == nil {
			_ = csv.NewWriter(io.Discard).WriteAll(records)
		}
	}
}

package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// decodeList decodes the output of `go list -json`: one JSON value after the other.
func decodeList[T any](out []byte) (list []T, err error) {
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var v T
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		list = append(list, v)
	}
}

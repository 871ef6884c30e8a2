// Package json decodes with encoding/json, into a struct and into an interface value, and encodes the result.
package json

import (
	"bytes"
	"encoding/json"
	"time"
)

type record struct {
	Name   string            `json:"name"`
	Size   int64             `json:"size,omitempty"`
	Ratio  *float64          `json:"ratio"`
	Tags   []string          `json:"tags"`
	When   time.Time         `json:"when"`
	Map    map[string]uint8  `json:"map"`
	Number json.Number       `json:"number"`
	Raw    json.RawMessage   `json:"raw"`
	Next   *record           `json:"next,omitempty"`
	Quoted int               `json:"quoted,string"`
	Pair   [2]bool           `json:"pair"`
	Bytes  []byte            `json:"bytes"`
	Other  map[int]*struct{} `json:"other"`
}

// Target decodes b.
func Target(b []byte) {
	var r record
	if json.Unmarshal(b, &r) == nil {
		_, _ = json.Marshal(r)
	}
	var v any
	if json.Unmarshal(b, &v) == nil {
		_, _ = json.Marshal(v)
	}
	var out bytes.Buffer
	_ = json.Indent(&out, b, "", "\t")
	json.HTMLEscape(&out, b)
}

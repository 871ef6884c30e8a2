// Package json decodes with encoding/json into an interface value and encodes the result.
package json

import (
	"encoding/json"
	"testing"

	"bench.test/limit"
)

var seeds = []limit.Args{{[]byte(`{"a": [1, 2.5e3, "x\u00e9", null, true], "b": {"c": -1}}`)}, {[]byte(`[[]]`)}}

func target(b []byte) {
	var v any
	if json.Unmarshal(b, &v) != nil {
		return
	}
	if _, err := json.Marshal(v); err != nil {
		panic(err)
	}
}

func FuzzTarget(f *testing.F) {
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) { target(b) })
}

func FuzzRecord(f *testing.F) {
	r := limit.NewRecorder(f)
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) {
		if r.Due() {
			r.Write(b)
		}
		target(b)
	})
}

func TestLimit(t *testing.T) {
	limit.Run(t, func(a limit.Args) func() {
		b := a[0].([]byte)
		return func() { target(b) }
	})
}

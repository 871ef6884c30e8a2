// Package flate decompresses with compress/flate, up to a limit.
package flate

import (
	"bytes"
	"compress/flate"
	"io"
	"testing"

	"bench.test/limit"
)

var seeds = []limit.Args{{compress("hello, hello, hello world, hello", 9)}, {compress("abcdefgh", 0)}}

// maxOut keeps small bombs from being all that is measured.
const maxOut = 64 << 10

func compress(s string, level int) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		panic(err)
	}
	if _, err := io.WriteString(w, s); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func target(b []byte) {
	// Broken streams are expected, and what they hold is of no interest.
	_, _ = io.CopyN(io.Discard, flate.NewReader(bytes.NewReader(b)), maxOut)
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

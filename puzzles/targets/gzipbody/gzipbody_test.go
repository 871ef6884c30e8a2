package gzipbody

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzGzipbody(f *testing.F) {
	f.Add(seed(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

// seed is a file without compression, so that its text can be edited.
func seed(f *testing.F) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := w.Write([]byte("some text")); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}

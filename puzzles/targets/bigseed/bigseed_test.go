package bigseed

import (
	"bytes"
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzBigseed(f *testing.F) {
	f.Add(append(bytes.Repeat([]byte{0x55}, 4088), "12345678"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

package framed

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzFramed(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x05\x07\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

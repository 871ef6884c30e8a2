package archive

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzArchive(f *testing.F) {
	f.Add([]byte("this is no archive at all, just a text"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

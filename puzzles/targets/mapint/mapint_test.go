package mapint

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzMapint(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 9, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

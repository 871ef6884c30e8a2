package halves

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzHalves(f *testing.F) {
	f.Add([]byte(left + " 1234567"))
	f.Add([]byte("12345678" + right))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

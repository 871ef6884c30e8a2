package scrambled

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzScrambled(f *testing.F) {
	f.Add([]byte("#.\x00\x00\x00\x05"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

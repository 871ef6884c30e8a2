package len1000

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzLen1000(f *testing.F) {
	f.Add([]byte("short"), "and shorter")
	f.Fuzz(func(t *testing.T, b []byte, s string) {
		verdict.Check(t, Open(b, s))
	})
}

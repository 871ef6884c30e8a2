package fills

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzFills(f *testing.F) {
	f.Add("E")
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

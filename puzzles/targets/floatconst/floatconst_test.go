package floatconst

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzFloatconst(f *testing.F) {
	f.Add(1.5)
	f.Fuzz(func(t *testing.T, f float64) {
		verdict.Check(t, Open(f))
	})
}

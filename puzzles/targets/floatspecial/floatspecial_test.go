package floatspecial

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzFloatspecial(f *testing.F) {
	f.Add(1.0, 2.0, 3.0)
	f.Fuzz(func(t *testing.T, a float64, b float64, c float64) {
		verdict.Check(t, Open(a, b, c))
	})
}

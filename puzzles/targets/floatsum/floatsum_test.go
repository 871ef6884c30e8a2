package floatsum

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzFloatsum(f *testing.F) {
	f.Add(3.7)
	f.Fuzz(func(t *testing.T, f float64) {
		verdict.Check(t, Open(f))
	})
}

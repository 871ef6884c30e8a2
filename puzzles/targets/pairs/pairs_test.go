package pairs

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzPairs(f *testing.F) {
	f.Add(uint8(201), uint8(77), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, a uint8, b uint8, c uint8, d uint8) {
		verdict.Check(t, Open(a, b, c, d))
	})
}

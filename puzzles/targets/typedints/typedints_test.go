package typedints

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzTypedints(f *testing.F) {
	f.Add(int32(0), uint16(0), uint64(0))
	f.Fuzz(func(t *testing.T, a int32, b uint16, c uint64) {
		verdict.Check(t, Open(a, b, c))
	})
}

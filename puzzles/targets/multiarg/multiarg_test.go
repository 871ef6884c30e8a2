package multiarg

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzMultiarg(f *testing.F) {
	f.Add(int64(1), int32(2), "three")
	f.Fuzz(func(t *testing.T, a int64, b int32, s string) {
		verdict.Check(t, Open(a, b, s))
	})
}

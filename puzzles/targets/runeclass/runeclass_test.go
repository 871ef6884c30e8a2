package runeclass

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzRuneclass(f *testing.F) {
	f.Add("name")
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

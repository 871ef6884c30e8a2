package soup

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzSoup(f *testing.F) {
	f.Add("some words here")
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

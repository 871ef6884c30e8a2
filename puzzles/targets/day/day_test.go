package day

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzDay(f *testing.F) {
	f.Add("2006-01-02")
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

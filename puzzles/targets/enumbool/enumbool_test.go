package enumbool

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzEnumbool(f *testing.F) {
	f.Add(false, int(read), "guess")
	f.Add(false, int(write), "")
	f.Fuzz(func(t *testing.T, debug bool, m int, s string) {
		verdict.Check(t, Open(debug, m, s))
	})
}

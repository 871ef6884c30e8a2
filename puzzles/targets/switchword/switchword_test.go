package switchword

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzSwitchword(f *testing.F) {
	f.Add("do it")
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

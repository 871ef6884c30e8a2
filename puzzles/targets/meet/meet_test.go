package meet

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzMeet(f *testing.F) {
	f.Add(user, "1234")
	f.Add("5678", key)
	f.Fuzz(func(t *testing.T, name, secret string) {
		verdict.Check(t, Open(name, secret))
	})
}

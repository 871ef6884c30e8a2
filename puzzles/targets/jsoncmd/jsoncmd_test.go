package jsoncmd

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzJsoncmd(f *testing.F) {
	f.Add([]byte(`{"name":"x","n":[1,2]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

package jsonshape

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzJsonshape(f *testing.F) {
	f.Add([]byte(`{"a":"b","c":[1,true,{}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

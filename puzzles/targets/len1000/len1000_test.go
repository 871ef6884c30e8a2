package len1000

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzLen1000(f *testing.F) {
	f.Add([]byte("short"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

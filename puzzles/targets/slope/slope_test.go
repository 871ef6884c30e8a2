package slope

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzSlope(f *testing.F) {
	f.Add([]byte("I\x00\x00\x00\x00\x00\x00\x05"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

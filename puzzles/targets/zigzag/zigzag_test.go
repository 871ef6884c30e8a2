package zigzag

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzZigzag(f *testing.F) {
	f.Add([]byte{0x07, 0x00, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

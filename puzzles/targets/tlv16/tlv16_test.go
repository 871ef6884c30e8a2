package tlv16

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzTlv16(f *testing.F) {
	f.Add([]byte("C\x00\x08V\x00\x01xV\x00\x01y"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

package twosums

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzTwosums(f *testing.F) {
	f.Add([]byte("eight..AsumAeight..BsumBsumC"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

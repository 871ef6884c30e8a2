package utf16text

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzUtf16text(f *testing.F) {
	f.Add([]byte("\xff\xfen\x00a\x00m\x00e\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

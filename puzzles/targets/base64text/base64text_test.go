package base64text

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzBase64text(f *testing.F) {
	f.Add("Basic YWxpY2U6c2VjcmV0")
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

package xmlattr

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzXmlattr(f *testing.F) {
	f.Add([]byte(`<root><leaf a="b">text</leaf></root>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

package urlquery

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzUrlquery(f *testing.F) {
	f.Add("http://example.com/search?q=go&page=2")
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

package behindsetup

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzBehindSetup(f *testing.F) {
	f.Add("{% block %}")
	f.Fuzz(func(t *testing.T, template string) {
		verdict.Check(t, Open(template))
	})
}

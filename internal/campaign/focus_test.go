package campaign

import (
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/focus"
)

func TestEachValueOfFocusHasOneWarningAboutSpotsWithoutCounters(t *testing.T) {
	spot := func(where string, line int) focus.Spot {
		return focus.Spot{Where: where, File: "/m/p/p.go", Line: line}
	}
	const rest = "; the code is not instrumented, or the compiler has removed it"
	got := describeUnseen([]focus.Spot{spot("HEAD~1..", 3), spot("HEAD~1..", 5), spot("HEAD~1..", 7), spot("p.go:9", 9)})
	want := []string{
		"-focus HEAD~1..: the test binary has no counter that shows whether an input reaches line 3 of p.go or 2 other spots" + rest,
		"-focus p.go:9: the test binary has no counter that shows whether an input reaches line 9 of p.go" + rest,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the warnings are %q, want %q", got, want)
	}
	if got := describeUnseen(nil); got != nil {
		t.Errorf("without such spots the warnings are %q", got)
	}
}

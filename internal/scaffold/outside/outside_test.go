package outside

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestPatternsChooseEachPackageOnce(t *testing.T) {
	var packages []deps.Package
	for _, path := range []string{"x.org/a", "x.org/a/b", "x.org/ab"} {
		packages = append(packages, deps.Package{Target: build.Target{Name: fuzz.Name{Package: path}}})
	}
	for _, tt := range []struct{ name, patterns, want, unmatched string }{
		{"a package", "x.org/ab", "x.org/ab", ""},
		{"a module", "x.org/a/...", "x.org/a x.org/a/b", ""},
		{"two patterns with a common package", "x.org/a/b x.org/a/...", "x.org/a/b x.org/a", ""},
		{"a pattern without a package", "x.org/a x.org/c/...", "", "x.org/c/..."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, unmatched := choose(packages, strings.Fields(tt.patterns))
			var got []string
			for _, p := range list {
				got = append(got, p.Package)
			}
			if text := strings.Join(got, " "); text != tt.want || unmatched != tt.unmatched {
				t.Errorf("choose = %q, %q, want %q, %q", text, unmatched, tt.want, tt.unmatched)
			}
		})
	}
}

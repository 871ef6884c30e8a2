package build

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

const coveredModule = `
-- go.mod --
module example.com/m

go 1.24

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.24
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

func Do() {}
-- p/p.go --
package p

import (
	_ "encoding/json"

	_ "example.com/dep"
	_ "example.com/m/q"
)
-- p/p_test.go --
package p_test

import _ "example.com/m/fortests"
-- p/tagged.go --
//go:build special

package p

import _ "example.com/m/tagged"
-- q/q.go --
package q
-- tagged/tagged.go --
package tagged
-- fortests/f.go --
package fortests
-- fortests/only_test.go --
package fortests
-- only/only_test.go --
package only
-- unrelated/u.go --
package unrelated
`

func TestCovered(t *testing.T) {
	dir := testkit.Unpack(t, coveredModule)
	tc := toolchain.Find(t, "")
	const m = "example.com/m/"
	for _, tt := range []struct {
		name, pkg       string
		patterns, flags []string
		want            []string
	}{
		{"without patterns, the packages of the main module in the test binary", m + "p", nil, nil, []string{m + "fortests", m + "p", m + "q"}},
		{"without patterns, also packages that files with a build tag import", m + "p", nil, []string{"-tags=special"}, []string{m + "fortests", m + "p", m + "q", m + "tagged"}},
		{"a package that has tests only", m + "only", nil, nil, nil},
		{"a package of the standard library alone", "encoding/csv", nil, nil, []string{"encoding/csv"}},
		{"the packages that match patterns", m + "p", []string{"./q", "encoding/json"}, nil, []string{"encoding/json", m + "q"}},
		{"a vendored package", m + "p", []string{"example.com/dep"}, nil, []string{"example.com/dep"}},
		{"the packages of the test binary that match ./...", m + "p", []string{"./..."}, nil, []string{m + "fortests", m + "p", m + "q"}},
		{"a package that the test binary does not contain", m + "p", []string{"./unrelated"}, nil, nil},
		{"the folder of a package in place of its path", filepath.Join(dir, "p"), []string{"./p"}, nil, []string{m + "p"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Covered(t.Context(), tc, dir, tt.pkg, CoverOptions{Patterns: tt.patterns, Flags: tt.flags})
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("covered are %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

func TestAPatternOfCoveredPackagesThatMatchesNothingIsAnError(t *testing.T) {
	dir := testkit.Unpack(t, coveredModule)
	tc := toolchain.Find(t, "")
	for _, pattern := range []string{"./missing", "./missing/...", "example.com/missing"} {
		o := CoverOptions{Patterns: []string{"./q", pattern}}
		var wrong *gocommand.PatternError
		if err := CheckCovered(t.Context(), tc, dir, o); !errors.As(err, &wrong) || wrong.Pattern != pattern {
			t.Errorf("CheckCovered of %s: %v", pattern, err)
		}
		if _, err := Covered(t.Context(), tc, dir, "example.com/m/p", o); !errors.As(err, &wrong) {
			t.Errorf("Covered of %s: %v", pattern, err)
		}
	}
	if err := CheckCovered(t.Context(), tc, dir, CoverOptions{}); err != nil {
		t.Errorf("without patterns: %v", err)
	}
}

func TestPlacedReplacesSourcesOutsideOfTheModuleCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	testkit.OwnCache(t)
	tc, dir := toolchain.Find(t, ""), testkit.Unpack(t, edited)
	b, err := NewBuilder(t.Context(), tc, dir, []string{"."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	file, err := b.Placed(t.Context(), "example.com/m", nil, map[string][]byte{
		filepath.Join(dir, "dep", "dep.go"):                             []byte("package dep\n\nvar Text = text()\n"),
		filepath.Join(dir, "dep", "more.go"):                            []byte("package dep\n\nfunc text() string { return \"replaced\" }\n"),
		filepath.Join(tc.ModCache, "example.com", "m@v1.0.0", "dep.go"): []byte("package m\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(file, "-test.v").CombinedOutput(); err != nil || !strings.Contains(string(out), "replaced embedded") {
		t.Errorf("%v\n%s", err, out)
	}
}

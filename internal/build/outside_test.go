package build

import (
	"debug/elf"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

const twoModules = `-- app/go.mod --
module example.com/app

go 1.24

require example.com/dep v1.0.0

replace example.com/dep => ../dep
-- app/app.go --
package app

import _ "example.com/dep/parse"
-- dep/go.mod --
module example.com/dep

go 1.24
-- dep/parse/parse.go --
package parse

import "strings"

func Parse(s string) int {
	if strings.HasPrefix(s, "abc") {
		return 1
	}
	return 0
}
-- dep/parse/parse_test.go --
package parse

import (
	"encoding/hex"
	"testing"
)

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { Parse(hex.EncodeToString([]byte(s))) })
}
`

// generatedCounters is how many counters the generated main package of a test may have. -fuzz does not instrument it, -gcflags does.
const generatedCounters = 8

func TestAPackageOutsideOfTheMainModuleHasItsCounters(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("compiles the standard library, and reads ELF files")
	}
	testkit.OwnCache(t)
	tc := toolchain.Find(t, "")
	root := testkit.Unpack(t, twoModules)
	const pkg = "example.com/dep/parse"
	counters := func(dir string, outside bool) uint64 {
		b, err := NewBuilder(t.Context(), tc, dir, []string{pkg}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		if outside {
			err := b.AddOutside([]Target{{Name: fuzz.Name{Package: pkg}, Outside: &Outside{Module: "example.com/dep", Version: LocalVersion}}}, nil)
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Binary(t.Context(), pkg, nil, nil); err != nil {
			t.Fatal(err)
		}
		f, err := elf.Open(b.Path(pkg, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		section := f.Section(".go.fuzzcntrs")
		if section == nil {
			t.Fatal("the binary has no counters")
		}
		return section.Size
	}
	inside, outside := counters(filepath.Join(root, "dep"), false), counters(filepath.Join(root, "app"), true)
	if outside < inside || outside > inside+generatedCounters {
		t.Errorf("outside of the main module the binary has %d counters, inside %d", outside, inside)
	}
}

func TestThePackagesThatATestImports(t *testing.T) {
	tc := toolchain.Find(t, "")
	dir := filepath.Join(testkit.Unpack(t, twoModules), "app")
	got, err := testPackages(t.Context(), tc, dir, "example.com/dep/parse", gocommand.OutsideFlags(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"example.com/dep/parse", "encoding/hex", "strings", "testing"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
	for _, unwanted := range []string{"example.com/dep/parse.test", "testing/internal/testdeps", "internal/fuzz"} {
		if slices.Contains(got, unwanted) {
			t.Errorf("%s is imported by the generated main package only", unwanted)
		}
	}
}

func TestWhetherAModuleIsMissing(t *testing.T) {
	for _, tt := range []struct {
		output string
		want   bool
	}{
		{"x_test.go:3:8: missing go.sum entry for module providing package example.com/y; to add:", true},
		{"x_test.go:3:8: no required module provides package example.com/y; to add it:", true},
		{"go: updates to go.mod needed, disabled by -mod=readonly", true},
		{"x_test.go:3:8: undefined: y", false},
	} {
		if got := gocommand.LacksModule(tt.output); got != tt.want {
			t.Errorf("LacksModule(%q) = %v", tt.output, got)
		}
	}
}

func TestFlagsThatDependenciesCannotHave(t *testing.T) {
	for _, tt := range []struct {
		name    string
		goflags string
		given   bool
		want    error
	}{
		{"none", "", false, nil},
		{"other flags in GOFLAGS", "-tags=x", false, nil},
		{"-gcflags", "", true, ErrOutsideGcflags},
		{"-gcflags in GOFLAGS", "-gcflags=-N", false, ErrOutsideGcflags},
	} {
		if err := CheckOutside(gocommand.Toolchain{Flags: tt.goflags}, tt.given); err != tt.want { //nolint:errorlint // it is not wrapped
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestWhereATargetRunsAndKeepsItsInputs(t *testing.T) {
	own := Target{Dir: "/m/p"}
	if own.Work() != "/m/p" || own.Home() != "/m/p" {
		t.Errorf("a target of a main module runs in %s and keeps its inputs in %s", own.Work(), own.Home())
	}
	other := Target{Dir: "/cache/p", Outside: &Outside{Work: "/copy/p", Home: "/m/.gnaw/p"}}
	if other.Work() != "/copy/p" || other.Home() != "/m/.gnaw/p" {
		t.Errorf("a target of a dependency runs in %s and keeps its inputs in %s", other.Work(), other.Home())
	}
}

package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

func TestPackagesThatDoNotCompileAreNamed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.com/m\n\ngo 1.24\n",
		"good/x_test.go":   "package good\n",
		"bad/x.go":         "package bad\n\nfunc F() { nothing() }\n",
		"tests/x_test.go":  "package tests\n\nvar x int = \"a\"\n",
		"needs/x_test.go":  "package needs\n\nimport _ \"example.com/m/bad\"\n",
		"tagged/x_test.go": "package tagged\n",
		"tagged/y_test.go": "//go:build special\n\npackage tagged\n\nvar x int = \"a\"\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tc, err := gocommand.FindToolchain(t.Context(), dir, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	var targets []Target
	for _, name := range []string{"good", "bad", "tests", "needs", "tagged", "good"} {
		targets = append(targets, Target{Name: fuzz.Name{Package: "example.com/m/" + name}})
	}
	want := map[string]string{
		"example.com/m/bad":   "undefined: nothing",
		"example.com/m/tests": "cannot use",
		"example.com/m/needs": "undefined: nothing",
	}
	for _, flags := range [][]string{nil, {"-tags=special"}} {
		if flags != nil {
			want["example.com/m/tagged"] = "cannot use"
		}
		broken, err := Uncompiled(t.Context(), tc, dir, targets, flags)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range broken {
			if reason, ok := want[b.Package]; !ok || !strings.Contains(b.Reason, reason) || strings.Contains(b.Reason, "\n") {
				t.Errorf("with %v, %s does not compile because of %q, want %q", flags, b.Package, b.Reason, want[b.Package])
			}
		}
		if len(broken) != len(want) {
			t.Errorf("with %v, %d packages do not compile, want %d: %+v", flags, len(broken), len(want), broken)
		}
	}
	if broken, err := Uncompiled(t.Context(), tc, dir, nil, nil); err != nil || broken != nil {
		t.Errorf("without targets: %+v, %v", broken, err)
	}
	if _, err := Uncompiled(t.Context(), tc, filepath.Join(dir, "none"), targets, nil); err == nil || !strings.HasPrefix(err.Error(), "compile the packages: ") {
		t.Errorf("in a folder that does not exist: %v", err)
	}
}

func TestEachPackageIsThereOnce(t *testing.T) {
	targets := []Target{{Name: fuzz.Name{Package: "a", Func: "FuzzX"}}, {Name: fuzz.Name{Package: "b", Func: "FuzzX"}}, {Name: fuzz.Name{Package: "a", Func: "FuzzY"}}}
	if got := Packages(targets); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the packages are %q", got)
	}
}

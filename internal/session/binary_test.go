package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// module makes a module with the package in its root and one in the folder p.
func module(t *testing.T, source string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m_test.go": source, "p/p_test.go": "package p\n"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const source = `package m

import "testing"

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if s == "bad" {
			t.Fatal("no")
		}
	})
}
`

func TestATargetIsFoundInItsPackage(t *testing.T) {
	dir := module(t, source)
	tc, err := gocommand.FindToolchain(t.Context(), dir, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{".", "example.com/m", "./..."} {
		if got, err := FindTarget(t.Context(), tc, dir, pattern, "FuzzX", nil); err != nil || got.Package != "example.com/m" || got.Line != 5 {
			t.Errorf("in %s it finds %+v (%v)", pattern, got, err)
		}
	}
	for pattern, place := range map[string]string{".": dir, "./p": "./p"} {
		_, err := FindTarget(t.Context(), tc, dir, pattern, "FuzzY", nil)
		var none *NoTargetError
		if want := "there is no target FuzzY in " + place + "; `gnaw list` shows all targets"; !errors.As(err, &none) || err.Error() != want {
			t.Errorf("in %s: %v, want %s", pattern, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "p", "p_test.go"), []byte("package p\n}"), 0o666); err != nil {
		t.Fatal(err)
	}
	var broken build.PackageError
	if _, err := FindTarget(t.Context(), tc, dir, "./p", "FuzzX", nil); !errors.As(err, &broken) {
		t.Errorf("in a package with a syntax error: %v", err)
	}
}

func TestWhatCannotBeBuiltIsAnError(t *testing.T) {
	dir := module(t, source)
	for _, tt := range []struct {
		name string
		spec Spec
		want string
	}{
		{"another target", Spec{Dir: dir, Target: "FuzzY"}, "there is no target FuzzY in " + dir},
		{"a target of another package", Spec{Dir: dir, Package: filepath.Join(dir, "p"), Target: "FuzzX"}, "there is no target FuzzX in " + filepath.Join(dir, "p")},
		{"a package by its path", Spec{Dir: dir, Package: "example.com/m/p", Target: "FuzzX"}, "there is no target FuzzX in example.com/m/p"},
		{"a package that does not exist", Spec{Dir: dir, Package: "example.com/m/q", Target: "FuzzX"}, "example.com/m/q"},
		{"a folder that does not exist", Spec{Dir: filepath.Join(dir, "none"), Target: "FuzzX"}, "none"},
	} {
		tt.spec.Environ, tt.spec.PlainStd, tt.spec.Notices = os.Environ(), true, new(bytes.Buffer)
		if b, err := Build(t.Context(), tt.spec); err == nil || !strings.Contains(err.Error(), tt.want) || b != nil {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestABinaryIsBuiltAndRemoved(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a test binary")
	}
	dir := module(t, source)
	var notices bytes.Buffer
	spec := Spec{Dir: dir, Environ: os.Environ(), Target: "FuzzX", PlainStd: true, Notices: &notices, Timeout: DefaultTimeout}
	b, err := Build(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	bad := input.Args{{Kind: input.String, Data: []byte("bad")}}
	f, err := b.Process.Execute(t.Context(), bad)
	if err != nil || f == nil || f.Kind != finding.Failure || !strings.Contains(f.Message, "no") {
		t.Errorf("the input fails as %+v (%v)", f, err)
	}
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzX")
	if err := errors.Join(os.MkdirAll(seeds, 0o777), os.WriteFile(filepath.Join(seeds, "a"), input.Marshal(bad), 0o666)); err != nil {
		t.Fatal(err)
	}
	if got, err := b.GoTest().Prove(t.Context(), proof.Execution{Name: "a"}, &finding.Finding{Kind: finding.Failure}); err != nil || got != proof.Fails {
		t.Errorf("the replay is %v (%v)", got, err)
	}
	path := b.Process.Config.Path
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the binary stays: %v", err)
	}

	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(strings.Replace(source, "t.Fatal", "t.Fatale", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := Build(t.Context(), spec); err == nil || !strings.Contains(err.Error(), "t.Fatale undefined") || b != nil {
		t.Errorf("a target that does not compile: %v", err)
	}
}

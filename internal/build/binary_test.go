package build

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fuzzed is a module whose target tells what the probe saw of it.
const fuzzed = `
-- go.mod --
module example.com/m

go 1.24
-- dep/dep.go --
package dep

//go:noinline
func Is(b []byte, s string) bool {
	for range b {
		if len(s) > 100 {
			return true
		}
	}
	return string(b) == s
}
-- m_test.go --
package m

import (
	"testing"

	"example.com/m/dep"
)

func FuzzM(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		if dep.Is(b, "magic") || n == 12345 || t.Context() == nil {
			t.Skip("found")
		}
	})
}
-- none/none.go --
package none
-- bad/bad_test.go --
package bad

import "testing"

func FuzzBad(f *testing.F) { undefined() }
`

// runBinary runs a test binary in a folder and returns what it prints.
func runBinary(t *testing.T, file, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(file, append(args, "-test.fuzz=FuzzM", "-test.fuzzcachedir="+t.TempDir(), "-test.parallel=3")...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// TestBinaryWithPretendProbe builds with every Go version, and finds that each edit does what it is there for.
func TestBinaryWithPretendProbe(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	eachToolchain(t, func(t *testing.T, tc Toolchain) {
		dir := unpack(t, fuzzed)
		o := pretendOverlay(t, tc, t.TempDir())
		out := filepath.Join(t.TempDir(), "new", "m.test"+exeSuffix)
		if err := o.binary(t.Context(), tc, "example.com/m", dir, nil, out); err != nil {
			t.Fatal(err)
		}
		contains(t, "output", runBinary(t, out, dir, "-test.fuzztime=7x"), "coordinated /bin/gnaw "+
			pretender(pretend).protocol()+" input input"+pretendSystem()+" 7 3 testdata", "FuzzM true\n")
		contains(t, "output of a worker", runBinary(t, out, dir, "-test.fuzzworker"), "worked true true", "compared true true 294")
		if left, _ := os.ReadDir(filepath.Dir(out)); len(left) != 1 {
			t.Errorf("files beside the binary: %v", left)
		}
	})
}

func pretendSystem() string {
	if runtime.GOOS == "linux" {
		return "linux"
	}
	return "other"
}

func TestPlainIsWhatGoTestBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	ownCache(t)
	tc := toolchain(t, "")
	dir := unpack(t, fuzzed)
	for _, pkg := range []string{"example.com/m", dir} {
		path := filepath.Join(t.TempDir(), "m.test"+exeSuffix)
		if err := Plain(t.Context(), tc, pkg, dir, nil, path); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(path, "-test.v", "-test.run=FuzzM").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: FuzzM") {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.Contains(text, []byte("gnaw/probe")) {
			t.Errorf("%s has the probe in it, or %v", path, err)
		}
	}
	var failed *BuildError
	err := Plain(t.Context(), tc, "example.com/m/bad", dir, nil, filepath.Join(t.TempDir(), "bad.test"))
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "undefined") {
		t.Errorf("a package that does not build: %v", err)
	}
}

func TestBinaryErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	tc := toolchain(t, "")
	dir := unpack(t, fuzzed)
	o := pretendOverlay(t, tc, t.TempDir())
	for pkg, want := range map[string]string{
		"example.com/m/bad":    "bad_test.go:5:30: undefined: undefined",
		"example.com/m/none":   "no test files",
		"example.com/m/absent": "example.com/m/absent",
	} {
		out := filepath.Join(t.TempDir(), "x.test")
		err := o.binary(t.Context(), tc, pkg, dir, nil, out)
		var failed *BuildError
		if !errors.As(err, &failed) || failed.Package != pkg {
			t.Errorf("error for %s = %v, want a BuildError", pkg, err)
			continue
		}
		contains(t, "error", err.Error(), pkg, want)
		if left, _ := os.ReadDir(filepath.Dir(out)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// counters is the number of edge counters in a test binary.
func counters(t *testing.T, file string) uint64 {
	t.Helper()
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s := f.Section(".go.fuzzcntrs"); s != nil {
		return s.Size
	}
	return 0
}

// TestInstrumentFlags counts the counters, as the flags rest on details of the go command.
func TestInstrumentFlags(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("compiles the standard library, and reads an ELF file")
	}
	eachToolchain(t, func(t *testing.T, tc Toolchain) {
		dir := unpack(t, fuzzed)
		count := func(patterns string) uint64 {
			args := []string{"test", "-c", "-fuzz=.", "-o", "m.test"}
			if patterns != "" {
				flags, err := InstrumentFlags(patterns)
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, byImportPath(flags, dir)...)
			}
			if out, err := tc.said(t.Context(), dir, args...); err != nil {
				t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
			}
			return counters(t, filepath.Join(dir, "m.test"))
		}
		all, module, dep, test := count(""), count("./..."), count("example.com/m/dep"), count(".")
		if dep == 0 || test == 0 || dep+test != module || module > 50 || all < 1000 {
			t.Errorf("counters: dep %d, test %d, module %d, everything %d", dep, test, module, all)
		}
		if both := count(". , example.com/m/dep"); both != module {
			t.Errorf("counters of both packages = %d, want %d", both, module)
		}
	})
}

// TestOwnBinary builds with what gnaw really injects.
func TestOwnBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	eachToolchain(t, func(t *testing.T, tc Toolchain) {
		o, err := own.overlay(tc, t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "m.test"+exeSuffix)
		if err := o.binary(t.Context(), tc, "example.com/m", unpack(t, fuzzed), nil, out); err != nil {
			t.Fatal(err)
		}
	})
}

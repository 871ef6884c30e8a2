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

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

func TestPlainIsWhatGoTestBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	testkit.OwnCache(t)
	tc := toolchain.Find(t, "")
	dir := testkit.Unpack(t, testkit.Fuzzed)
	for _, pkg := range []string{"example.com/m", dir} {
		path := filepath.Join(t.TempDir(), "m.test"+gocommand.ExeSuffix)
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
	tc := toolchain.Find(t, "")
	dir := testkit.Unpack(t, testkit.Fuzzed)
	for pkg, want := range map[string]string{
		"example.com/m/bad":    "bad_test.go:5:30: undefined: undefined",
		"example.com/m/none":   "no test files",
		"example.com/m/absent": "example.com/m/absent",
	} {
		out := filepath.Join(t.TempDir(), "x.test")
		err := Plain(t.Context(), tc, pkg, dir, nil, out)
		var failed *BuildError
		if !errors.As(err, &failed) || failed.Package != pkg {
			t.Errorf("error for %s = %v, want a BuildError", pkg, err)
			continue
		}
		testkit.Contains(t, "error", err.Error(), pkg, want)
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
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		dir := testkit.Unpack(t, testkit.Fuzzed)
		count := func(patterns string) uint64 {
			args := []string{"test", "-c", "-fuzz=.", "-o", "m.test"}
			if patterns != "" {
				flags, err := gocommand.InstrumentFlags(patterns)
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, gocommand.ByImportPath(flags, dir)...)
			}
			if out, err := tc.Said(t.Context(), dir, args...); err != nil {
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

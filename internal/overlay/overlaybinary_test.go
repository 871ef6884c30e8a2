package overlay

import (
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// TestBinaryWithPretendProbe builds with every Go version, and finds that each edit does what it is there for.
func TestBinaryWithPretendProbe(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		dir := testkit.Unpack(t, testkit.Fuzzed)
		o := pretendOverlay(t, tc, t.TempDir())
		out := filepath.Join(t.TempDir(), "m.test"+gocommand.ExeSuffix)
		link(t, tc, o, dir, nil, out)
		testkit.Contains(t, "output", runBinary(t, out, dir, "-test.fuzztime=7x"), "coordinated /bin/gnaw "+
			pretender(pretend).protocol()+" input input"+pretendSystem()+" 7 3 testdata", "FuzzM true\n")
		testkit.Contains(t, "output of a worker", runBinary(t, out, dir, "-test.fuzzworker"), "worked true true", "compared true true 294")
	})
}

func pretendSystem() string {
	if runtime.GOOS == "linux" {
		return "linux"
	}
	return "other"
}

// TestOwnBinary builds with what gnaw really injects.
func TestOwnBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		o, err := own.overlay(tc, t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "m.test"+gocommand.ExeSuffix)
		link(t, tc, o, testkit.Unpack(t, testkit.Fuzzed), nil, out)
	})
}

// link builds the test binary of example.com/m in dir with an overlay.
func link(t *testing.T, tc gocommand.Toolchain, o Overlay, dir string, flags []string, out string) {
	t.Helper()
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-fuzz=."}, flags, []string{"-overlay=" + o.File, "-o", out, "example.com/m"})
	if said, err := tc.Said(t.Context(), dir, args...); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

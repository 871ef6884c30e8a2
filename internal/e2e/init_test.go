package e2e

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// initPatience is how long a campaign over written targets may take. They end when their executions are done, or at the first bug.
const initPatience = 10 * time.Minute

// initialized makes a copy of a module below testdata/init, in which gnaw init has written targets.
func initialized(t *testing.T, name string) (w *world, dir string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and fuzzes several packages")
	}
	w, dir = module(t, filepath.Join("init", name))
	if code, output := w.start(t, dir, w.environ(), host.gnaw, "init").wait(t, initPatience); code != 0 {
		t.Fatalf("gnaw init exits with %d:\n%s", code, output)
	}
	return w, dir
}

// TestInitFindsWhatIsPlanted wants the written targets to find bugs that the tests of the packages do not show.
func TestInitFindsWhatIsPlanted(t *testing.T) {
	t.Parallel()
	w, dir := initialized(t, "planted")
	for _, tt := range []struct{ bug, target, message string }{
		{"antisymmetry", "FuzzVersionCompare", `finding .* FuzzVersionCompare  Compare of "`},
		{"transitivity", "FuzzCompare", `finding .* FuzzCompare  ".*" <= ".*" and ".*" <= ".*", but ".*" > ".*"`},
		{"escape", "FuzzEscapeUnescape", `finding .* FuzzEscapeUnescape  Unescape\(".*"\) = ".*", want ".*"`},
		{"magic", "FuzzDecode", `finding .* FuzzDecode  slice bounds out of range`},
	} {
		t.Run(tt.bug, func(t *testing.T) {
			args := []string{"fuzz", "-failfast", "-fuzz=^" + tt.target + "$", "-fuzztime=5m", "./" + tt.bug}
			code, output := w.start(t, dir, w.environ(), host.gnaw, args...).wait(t, initPatience)
			if code != 1 || !regexp.MustCompile(tt.message).MatchString(output) {
				t.Errorf("exit code %d, want 1; no match for %q in\n%s", code, tt.message, clip(output))
			}
		})
	}
	w.wantNoProcess(t)
}

// TestInitRaisesNoFalseAlarm wants the written targets to find nothing in packages that do what they promise.
func TestInitRaisesNoFalseAlarm(t *testing.T) {
	t.Parallel()
	w, dir := initialized(t, "sound")
	if files := glob(t, filepath.Join(dir, "*", "fuzz_test.go")); len(files) != 8 {
		t.Errorf("of eight packages these have targets: %v", files)
	}
	execs := "20000x"
	if *flagLong {
		execs = "1000000x"
	}
	code, output := w.start(t, dir, w.environ(), host.gnaw, "fuzz", "-fuzztime="+execs).wait(t, initPatience)
	if code != 0 || strings.Contains(output, "\nfinding ") {
		t.Errorf("exit code %d, want 0 and no finding:\n%s", code, output)
	}
	w.wantNoProcess(t)
}

// TestInitTouchesOnlyItsFiles compares the folder of a module and what is beside it before and after gnaw init.
func TestInitTouchesOnlyItsFiles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds several packages")
	}
	w, dir := module(t, filepath.Join("init", "planted"))
	outputs := filepath.Join(w.dir, "output-*") // of the commands that the test starts
	before := tree(t, w.dir, outputs)
	run := func(args ...string) {
		if code, output := w.start(t, dir, w.environ(), host.gnaw, args...).wait(t, initPatience); code != 0 {
			t.Fatalf("gnaw %q exits with %d:\n%s", args, code, output)
		}
		w.wantNoProcess(t)
	}
	run("init", "-n")
	if after := tree(t, w.dir, outputs); !maps.Equal(after, before) {
		t.Errorf("after gnaw init -n there are other files:\n%v\nwant\n%v", after, before)
	}
	run("init")
	after := tree(t, w.dir, outputs)
	for _, name := range []string{"antisymmetry", "transitivity", "escape", "magic"} {
		file := filepath.Join(dir, name, "fuzz_test.go")
		if after[file] == "" {
			t.Errorf("%s is not there", file)
		}
		delete(after, file)
	}
	if !maps.Equal(after, before) {
		t.Errorf("after gnaw init there are other files beside the targets:\n%v\nwant\n%v", after, before)
	}
}

// tree returns the files and folders below root with their contents, without those that match a pattern and without the build cache.
func tree(t *testing.T, root, without string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch match, _ := filepath.Match(without, path); {
		case err != nil || match:
			return err
		case path == filepath.Join(root, ".cache"):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			files[path] = d.Type().String()
			return nil
		}
		text, err := os.ReadFile(path)
		files[path] = "file: " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

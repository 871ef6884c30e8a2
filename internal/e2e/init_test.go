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

// initPatience is how long a command of these tests may take. The campaigns end after a number of executions, or at the first bug.
const initPatience = 10 * time.Minute

// initialized copies a module below testdata/init, and runs gnaw init in the copy.
func initialized(t *testing.T, name string) (w *world, dir string) {
	t.Helper()
	w, dir = module(t, filepath.Join("init", name))
	if code, output := w.start(t, dir, w.environ(), host.gnaw, "init").wait(t, initPatience); code != 0 {
		t.Fatalf("gnaw init exits with %d:\n%s", code, output)
	}
	return w, dir
}

// TestTargetsOfInitFindPlantedBugs checks that the written targets find bugs that the tests of the packages do not show.
func TestTargetsOfInitFindPlantedBugs(t *testing.T) {
	if !*flagLong {
		t.Skip("takes half a minute: -e2e.long")
	}
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

// TestTargetsOfInitFindNothingInSoundPackages checks that the written targets report no finding in packages without bugs.
func TestTargetsOfInitFindNothingInSoundPackages(t *testing.T) {
	if !*flagLong {
		t.Skip("takes a minute: -e2e.long")
	}
	t.Parallel()
	w, dir := initialized(t, "sound")
	if files := glob(t, filepath.Join(dir, "*", "fuzz_test.go")); len(files) != 8 {
		t.Errorf("the files with targets are %v, want one in each of eight packages", files)
	}
	code, output := w.start(t, dir, w.environ(), host.gnaw, "fuzz", "-fuzztime=1000000x").wait(t, initPatience)
	if code != 0 || strings.Contains(output, "\nfinding ") {
		t.Errorf("exit code %d, want 0 and no finding:\n%s", code, output)
	}
	w.wantNoProcess(t)
}

// TestInitWritesOnlyItsFiles compares the files in the folder of a module and around it before and after gnaw init.
func TestInitWritesOnlyItsFiles(t *testing.T) {
	if !*flagLong {
		t.Skip("takes half a minute: -e2e.long")
	}
	t.Parallel()
	w, dir := module(t, filepath.Join("init", "planted"))
	outputs := filepath.Join(w.dir, "output-*") // output of the commands that the test starts
	before := tree(t, w.dir, outputs)
	run := func(args ...string) {
		if code, output := w.start(t, dir, w.environ(), host.gnaw, args...).wait(t, initPatience); code != 0 {
			t.Fatalf("gnaw %q exits with %d:\n%s", args, code, output)
		}
		w.wantNoProcess(t)
	}
	run("init", "-n")
	if after := tree(t, w.dir, outputs); !maps.Equal(after, before) {
		t.Errorf("after gnaw init -n the files are\n%v\nwant\n%v", after, before)
	}
	run("init")
	after := tree(t, w.dir, outputs)
	for _, name := range []string{"antisymmetry", "transitivity", "escape", "magic"} {
		file := filepath.Join(dir, name, "fuzz_test.go")
		if after[file] == "" {
			t.Errorf("%s does not exist", file)
		}
		delete(after, file)
	}
	if !maps.Equal(after, before) {
		t.Errorf("after gnaw init the files without targets are\n%v\nwant\n%v", after, before)
	}
}

// tree returns the contents of the files below root and the types of the folders, by their paths. It leaves out paths that match the pattern
// without, and the build cache.
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

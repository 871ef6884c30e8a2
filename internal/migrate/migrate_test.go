package migrate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// target returns a folder with a test file whose target has the parameters.
func target(t *testing.T, parameters string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "x_test.go")
	put(t, file, source(parameters))
	return file
}

func source(parameters string) string {
	return "package x\n\nimport \"testing\"\n\nfunc FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, " + parameters + ") {}) }\n"
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// putInput writes a corpus file with that name; empty: that of the content.
func putInput(t *testing.T, dir, name string, vals ...any) {
	t.Helper()
	a, err := input.FromValues(vals)
	if err != nil {
		t.Fatal(err)
	}
	text := input.Marshal(a)
	if name == "" {
		name = corpus.Name(text)
	}
	put(t, filepath.Join(dir, name), string(text))
}

// inputsIn returns the inputs of a folder as text.
func inputsIn(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, problems, err := corpus.Open(dir, corpus.GoTest(nil)).Load(t.Context(), nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	for _, e := range entries {
		lines := strings.Split(strings.TrimSpace(string(input.Marshal(e.Args))), "\n")
		list = append(list, strings.Join(lines[1:], " "))
	}
	slices.Sort(list)
	return list
}

func TestInputsOfAnEarlierTargetAreMigrated(t *testing.T) {
	file := target(t, "data []byte, n int")
	dir := filepath.Dir(file)
	seeds, cache := filepath.Join(dir, "testdata", "fuzz", "FuzzX"), filepath.Join(t.TempDir(), "FuzzX")
	putInput(t, seeds, "mine", []byte("a"), 7)
	putInput(t, seeds, "fits", "text", uint8(3), []byte("b"))
	putInput(t, cache, "", []byte("a"), 8)
	putInput(t, cache, "", []byte("a"), 900)
	putInput(t, cache, "", true)
	put(t, filepath.Join(cache, "damaged"), "nonsense")
	testkit.Git(t, dir, "init", "--quiet")
	testkit.Commit(t, dir, "one")
	put(t, file, source("prefix string, n uint8, data []byte"))
	to := params(t, "prefix string, n uint8, data []byte")

	groups, damaged, err := Plan(t.Context(), Options{Target: "FuzzX", File: file, To: to, Folders: []string{seeds, cache}, Environ: os.Environ()})
	if err != nil || len(groups) != 2 || len(damaged) != 1 {
		t.Fatalf("%d groups, damaged %v, %v", len(groups), damaged, err)
	}
	g := groups[0]
	if g.From[0].Name != "data" || g.From[1].Name != "n" || g.Revision == "" || !slices.Equal(g.Of, []int{-1, 1, 0}) || len(g.Files) != 3 || g.Fitting() != 2 {
		t.Fatalf("the first group is %+v", g)
	}
	if other := groups[1]; other.Revision != "" || !slices.Equal(other.Of, []int{-1, 0, -1}) || other.Fitting() != 1 {
		t.Errorf("the second group is %+v", other)
	}
	for range 2 { // the second time as after a kill, when the old files were still in their place
		if n, err := g.Write(); n != 2 || err != nil {
			t.Fatalf("%d are written (%v)", n, err)
		}
		putInput(t, cache, "", []byte("a"), 8)
		putInput(t, seeds, "mine", []byte("a"), 7)
	}
	if n, err := g.Write(); n != 2 || err != nil {
		t.Fatalf("%d are written (%v)", n, err)
	}
	for dir, want := range map[string][]string{
		seeds:                           {`string("") byte('\a') []byte("a")`, `string("text") byte('\x03') []byte("b")`},
		filepath.Join(seeds, OldFolder): {`[]byte("a") int(7)`},
		filepath.Join(cache, OldFolder): {`[]byte("a") int(8)`},
	} {
		if got := inputsIn(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", dir, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(seeds, "mine")); err != nil {
		t.Errorf("the file of a user has lost its name: %v", err)
	}
	if err := os.Remove(filepath.Join(cache, "damaged")); err != nil {
		t.Fatal(err)
	}
	if got := inputsIn(t, cache); !slices.Equal(got, []string{`[]byte("a") int(900)`, `bool(true)`, `string("") byte('\b') []byte("a")`}) {
		t.Errorf("the cache has %q", got)
	}
}

func TestAMappingCanBeGiven(t *testing.T) {
	dir := t.TempDir()
	putInput(t, dir, "", "a", "b", 1)
	groups, _, err := Plan(t.Context(), Options{Target: "FuzzX", File: filepath.Join(dir, "x_test.go"), To: params(t, "string, bool"), Folders: []string{dir}, Environ: os.Environ()})
	if err != nil || len(groups) != 1 {
		t.Fatalf("%d groups (%v)", len(groups), err)
	}
	for want, of := range map[string][]int{
		"it has 1 numbers, and the target has 2 arguments":     {1},
		"there is no argument 4 in (string, string, int)":      {1, 4},
		"argument 1 of (string, string, int) cannot be bool":   {2, 1},
		"argument 3 of (string, string, int) cannot be string": {3, 0},
		"there is no argument -1 in (string, string, int)":     {-1, 0},
		"it has 3 numbers, and the target has 2 arguments":     {1, 2, 3},
	} {
		if err := groups[0].Set(of); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", of, err, want)
		}
	}
	if err := groups[0].Set([]int{2, 3}); err != nil {
		t.Fatal(err)
	}
	if _, err := groups[0].Write(); err != nil {
		t.Fatal(err)
	}
	if got := inputsIn(t, dir); !slices.Equal(got, []string{`string("b") bool(true)`}) {
		t.Errorf("the folder has %q", got)
	}
}

package deps

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// write writes files below a folder, by slash-separated name.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheReachOfPackages(t *testing.T) {
	main, dep := &gocommand.LinkedModule{Path: "m", Main: true}, &gocommand.LinkedModule{Path: "d"}
	got := reach([]gocommand.LinkedPackage{
		{ImportPath: "m", Module: main, Imports: []string{"d/a", "fmt"}},
		{ImportPath: "d/a", Module: dep, Imports: []string{"d/b"}},
		{ImportPath: "d/b", Module: dep},
		{ImportPath: "fmt", Standard: true},
	})
	for pkg, want := range map[string]Reach{"d/a": Direct, "d/b": Linked, "fmt": Direct, "d/c": NotLinked} {
		if got[pkg] != want {
			t.Errorf("the reach of %s is %v, want %v", pkg, got[pkg], want)
		}
	}
}

func TestTheKindOfAPackage(t *testing.T) {
	for _, tt := range []struct {
		name    string
		source  string
		imports []string
		want    Kind
	}{
		{"a function of bytes that returns an error", "func Parse(b []byte) (int, error) { return 0, nil }", nil, Input},
		{"a method of a string that returns an error", "func (T) Set(s string) error { return nil }", nil, Input},
		{"a function of a reader that returns an error", "func Read(r io.Reader) error { return nil }", nil, Input},
		{"no error", "func Len(b []byte) int { return 0 }", nil, Other},
		{"no data", "func Do(n int) error { return nil }", nil, Other},
		{"an array", "func Sum(b [4]byte) error { return nil }", nil, Other},
		{"a function that is not exported", "func parse(b []byte) error { return nil }", nil, Other},
		{"an import of a decoder", "", []string{"fmt", "encoding/json"}, Input},
		{"an import of package net", "", []string{"net"}, Input},
		{"an import of a package with a name like that of net", "", []string{"netip"}, Other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, map[string]string{
				"x.go":      "package x\n" + tt.source,
				"x_test.go": "package x\nfunc Parse(b []byte) error { return nil }",
			})
			if got := kindOf(dir, tt.imports); got != tt.want {
				t.Errorf("the kind is %v, want %v", got, tt.want)
			}
		})
	}
}

// targetOf is a target of a package with the version v1.
func targetOf(pkg string, reach Reach, kind Kind) Candidate {
	return Candidate{Target: build.Target{Name: fuzz.Name{Package: pkg, Func: "FuzzX"}, Outside: &build.Outside{Module: "d", Version: "v1"}}, Reach: reach, Kind: kind}
}

func TestWhichTargetComesFirst(t *testing.T) {
	tc := gocommand.Toolchain{Version: "go1.26", Arch: "amd64"}
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	fuzzed := func(pkg, version, arch string) store.Dependency {
		return store.Dependency{Target: fuzz.Name{Package: pkg, Func: "FuzzX"}, Version: version, Go: tc.Version, Arch: arch, Last: day}
	}
	for _, tt := range []struct {
		name    string
		targets []Candidate
		fuzzed  []store.Dependency
		want    []string
	}{
		{"one that the main module imports", []Candidate{targetOf("a", Linked, Other), targetOf("b", Direct, Other)}, nil, []string{"b", "a"}},
		{"one that reads data", []Candidate{targetOf("a", Linked, Other), targetOf("b", Linked, Input)}, nil, []string{"b", "a"}},
		{
			"one that was not fuzzed",
			[]Candidate{targetOf("a", Linked, Other), targetOf("b", Linked, Other)},
			[]store.Dependency{fuzzed("a", "v1", "amd64")},
			[]string{"b", "a"},
		},
		{
			"the order of names after an update, and on another system",
			[]Candidate{targetOf("b", Linked, Other), targetOf("a", Linked, Other)},
			[]store.Dependency{fuzzed("a", "v0", "amd64"), fuzzed("a", "v1", "arm64")},
			[]string{"a", "b"},
		},
		{"one with a parser in its path", []Candidate{targetOf("a", Linked, Other), targetOf("xml", Linked, Other)}, nil, []string{"xml", "a"}},
		{"last one that is not linked", []Candidate{targetOf("a", NotLinked, Input), targetOf("b", Linked, Other)}, nil, []string{"b", "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range Rank(tt.targets, tc, tt.fuzzed) {
				got = append(got, r.Package)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("the order is %q, want %q", got, tt.want)
			}
		})
	}
	got := Rank([]Candidate{targetOf("a", Linked, Other)}, tc, []store.Dependency{fuzzed("a", "v0", "amd64")})[0]
	if !got.Fresh || !got.Last.Equal(day) {
		t.Errorf("a target that was fuzzed with another version is fresh: %v, and was fuzzed at %v", got.Fresh, got.Last)
	}
}

func TestFoldersThatMayHaveTargets(t *testing.T) {
	const target = "package x\n\nfunc FuzzX(f *testing.F) {}\n"
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"x_test.go":             target,
		"a/x_test.go":           target,
		"b/x_test.go":           "package x\n",
		"b/x.go":                target,
		"testdata/x_test.go":    target,
		"vendor/d/x_test.go":    target,
		"_c/x_test.go":          target,
		".d/x_test.go":          target,
		"nested/go.mod":         "module nested\n",
		"nested/deep/x_test.go": target,
		"with space/x_test.go":  target,
		"at@v1/x_test.go":       target,
		"dots...x/x_test.go":    target,
	})
	u := unit{module: "example.com/d", path: "example.com/d", root: dir}
	if got, want := u.candidates(false), []string{"example.com/d", "example.com/d/a"}; !slices.Equal(got, want) {
		t.Errorf("they are %q, want %q", got, want)
	}
}

func TestThePackagesOfTheStandardLibraryThatMayHaveTargets(t *testing.T) {
	dir := t.TempDir()
	const target = "package x\nfunc FuzzX(f *testing.F) {}\n"
	write(t, dir, map[string]string{
		"go.mod": "module std\n", "a/x_test.go": target, "a/b/x_test.go": target, "cmd/go.mod": "module cmd\n", "cmd/x/x_test.go": target,
		"vendor/d/x_test.go": target,
	})
	u := unit{module: build.StdModule, root: dir, linked: []string{"a"}}
	if got, want := u.candidates(false), []string{"a"}; !slices.Equal(got, want) {
		t.Errorf("the linked packages are %q, want %q", got, want)
	}
	if got, want := u.candidates(true), []string{"a", "a/b"}; !slices.Equal(got, want) {
		t.Errorf("all packages are %q, want %q", got, want)
	}
}

func TestTheLinesThatRequireModules(t *testing.T) {
	name := filepath.Join(t.TempDir(), "go.mod")
	write(t, filepath.Dir(name), map[string]string{"go.mod": "module m\n\nrequire a.b/c v1.0.0\n\nrequire (\n\ta.b/d v1.0.0 // indirect\n)\n"})
	got := requireLines(name)
	if got["a.b/c"] != 3 || got["a.b/d"] != 6 || len(got) != 2 {
		t.Errorf("they are %v", got)
	}
	if got := requireLines(filepath.Join(t.TempDir(), "go.mod")); len(got) != 0 {
		t.Errorf("without a file they are %v", got)
	}
}

func TestACopyHasTheModuleAndTheInputsThatAreKept(t *testing.T) {
	root, main := t.TempDir(), t.TempDir()
	write(t, root, map[string]string{
		"go.mod": "module d", ".git/config": "", "p/p.go": "package p", "q/data.txt": "", "p/testdata/fuzz/FuzzX/seed": "theirs",
	})
	if err := os.Chmod(filepath.Join(root, "p"), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "p"), 0o777) })
	target := build.Target{Name: fuzz.Name{Package: "d/p", Func: "FuzzX"}, Dir: filepath.Join(root, "p"), Outside: &build.Outside{
		Module: "d", Version: "v1.0.0", Root: root, Home: home(main, "d", "v1.0.0", "p"),
	}}
	write(t, target.Home(), map[string]string{"testdata/fuzz/FuzzX/kept": "kept", "testdata/fuzz/FuzzX/seed": "another"})
	c := &Copies{Dir: t.TempDir()}
	target, err := c.Place(target)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Make(t.Context(), target); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"p.go": "package p", "../q/data.txt": "", "testdata/fuzz/FuzzX/seed": "theirs", "testdata/fuzz/FuzzX/kept": "kept"}
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(target.Work(), name)); err != nil || string(got) != text {
			t.Errorf("%s has %q (%v), want %q", name, got, err, text)
		}
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "d@v1.0.0", ".git")); err == nil {
		t.Error("the copy has the data of git")
	}
	if err := os.WriteFile(filepath.Join(target.Work(), "new"), nil, 0o666); err != nil {
		t.Errorf("a test cannot write to the copy: %v", err)
	}
}

func TestACopyDoesNotContainCaches(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"p.go": "", "gnaw/run/1/lock": "", "gnaw/run/2/lock": "", "build/x": "", "mod/x": "", "q/build/x": ""})
	c := NewCopies(&cache.Site{Dir: filepath.Join(root, "gnaw", "run", "1")}, gocommand.Toolchain{
		Cache: filepath.Join(root, "build"), ModCache: filepath.Join(root, "mod"),
	})
	target, err := c.Place(build.Target{Name: fuzz.Name{Package: "d", Func: "FuzzX"}, Dir: root, Outside: &build.Outside{
		Module: "d", Version: build.LocalVersion, Root: root, Home: t.TempDir(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Make(t.Context(), target); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"p.go": true, "q/build/x": true, "gnaw/run": false, "build": false, "mod": false} {
		if _, err := os.Stat(filepath.Join(target.Work(), filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("the copy has %s: %v, want %v", name, err == nil, want)
		}
	}
}

func TestTheEndOfTheContextEndsACopy(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"p.go": "package p", "q/data.txt": "data"})
	ctx, cancel := context.WithCancel(t.Context())
	s := newSources(ctx, root, nil)
	f, err := s.Open("p.go")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cancel()
	if n, err := f.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("Read of an open file = %d, %v, want 0 and the error of the context", n, err)
	}
	c := &Copies{Dir: t.TempDir()}
	target, err := c.Place(build.Target{Name: fuzz.Name{Package: "d", Func: "FuzzX"}, Dir: root, Outside: &build.Outside{Module: "d", Version: "v1", Root: root}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Make(ctx, target); !errors.Is(err, context.Canceled) {
		t.Errorf("the error of the copy is %v, want that of the context", err)
	}
	if _, err := os.Stat(filepath.Join(target.Work(), "q")); err == nil {
		t.Error("files are copied after the end of the context")
	}
}

func TestACopyOfTheStandardLibraryHasTheFamilyOfThePackage(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"compress/gzip/x.go": "", "compress/testdata/e.txt": "", "net/x.go": ""})
	c := &Copies{Dir: t.TempDir()}
	target, err := c.Place(build.Target{
		Name: fuzz.Name{Package: "compress/gzip", Func: "FuzzX"}, Dir: filepath.Join(root, "compress", "gzip"),
		Outside: &build.Outside{Module: build.StdModule, Version: "go1.26", Root: root},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Make(t.Context(), target); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(target.Work(), "..", "testdata", "e.txt")); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(filepath.Join(c.Dir, "std@go1.26")); err != nil || len(list) != 1 {
		t.Errorf("the copy has %d folders (%v), want 1", len(list), err)
	}
}

func TestInputsOfDependenciesAreKeptOutOfGit(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(home(root, "d", "v1", "."), "testdata", "fuzz", "FuzzX", "1")
	if err := Keep(build.Outside{Keeper: root}, path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	ignore := filepath.Join(root, ".gnaw", "deps", ".gitignore")
	if text, err := os.ReadFile(ignore); err != nil || string(text) != ignoreText {
		t.Errorf(".gitignore has %q (%v)", text, err)
	}
	if err := os.Remove(ignore); err != nil {
		t.Fatal(err)
	}
	if err := Keep(build.Outside{Keeper: root}, path, []byte("two")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(ignore); err == nil {
		t.Error("a .gitignore that the user has removed is written again")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "two" {
		t.Errorf("the input is %q (%v)", text, err)
	}
}

func TestALinkDoesNotLeadInputsOutOfTheMainModule(t *testing.T) {
	for _, link := range []string{".gnaw", ".gnaw/deps", ".gnaw/deps/d@v1/testdata"} {
		root, elsewhere := t.TempDir(), t.TempDir()
		name := filepath.Join(root, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, name); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home(root, "d", "v1", "."), "testdata", "fuzz", "FuzzX", "1")
		if err := Keep(build.Outside{Keeper: root}, path, []byte("one")); err == nil {
			t.Errorf("with the link %s there is no error", link)
		}
		if list, err := os.ReadDir(elsewhere); err != nil || len(list) > 0 {
			t.Errorf("with the link %s there are %d files elsewhere (%v)", link, len(list), err)
		}
	}
}

func TestWhichModuleTheSourcesAreOf(t *testing.T) {
	for _, tt := range []struct {
		name            string
		replace         *gocommand.LinkedModule
		module, version string
	}{
		{"no replace directive", nil, "a", "v1.0.0"},
		{"another module", &gocommand.LinkedModule{Path: "fork", Version: "v2.0.0"}, "fork", "v2.0.0"},
		{"a folder", &gocommand.LinkedModule{Path: "../a"}, "a", build.LocalVersion},
	} {
		u := newUnit(gocommand.LinkedModule{Path: "a", Version: "v1.0.0", Replace: tt.replace}, nil)
		if u.module != tt.module || u.version != tt.version || u.path != "a" || u.replaced != (tt.replace != nil) {
			t.Errorf("%s: it is %s@%s of %s, replaced: %v", tt.name, u.module, u.version, u.path, u.replaced)
		}
	}
}

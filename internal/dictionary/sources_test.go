package dictionary

import (
	"context"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tree writes files, given by their names and contents, below a new folder and returns it.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found returns the words of FuzzX in dir. Variables are given as NAME=value.
func found(t *testing.T, dir string, environ ...string) (words []string) {
	t.Helper()
	getenv := func(name string) string {
		for _, pair := range environ {
			if v, ok := strings.CutPrefix(pair, name+"="); ok {
				return v
			}
		}
		return ""
	}
	for _, w := range Sources(t.Context(), Place{dir, "FuzzX", getenv}) {
		words = append(words, string(w))
	}
	return words
}

func expect(t *testing.T, got []string, want string) {
	t.Helper()
	if s := strings.Join(got, " "); s != want {
		t.Errorf("words are %s, want %s", s, want)
	}
}

// target is a test file with the fuzz target, and imports.
func target(imports ...string) string {
	text := "package p_test\n"
	for _, path := range imports {
		text += "import _ " + strconv.Quote(path) + "\n"
	}
	return text + "func FuzzX(f *testing.F) { f.Add(`seed`) }\n"
}

func TestSourcesRanksPackagesByDistance(t *testing.T) {
	dir := tree(t,
		"go.mod", "module example.com/m // comment\n\ngo 1.24\n",
		"p/a_test.go", "package p\nvar x = `other-test`",
		"p/p.go", "package p\nimport _ `example.com/m/near`\nimport _ `fmt`\nvar x = `own`",
		"p/p_test.go", target("example.com/m/tested", "example.com/m/p"),
		"near/n.go", "package near\nimport _ `example.com/m/far`\nimport _ `example.com/m/none`\nconst x = `near`",
		"near/n_test.go", "package near\nconst x = `near-test`",
		"tested/t.go", "package tested\nimport _ `example.com/m/near`\nconst x = `tested`",
		"far/f.go", "package far\nimport _ `example.com/m/near`\nconst x, y = `far`, `own`",
		"unused/u.go", "package unused\nconst x = `unused`",
	)
	expect(t, found(t, filepath.Join(dir, "p")), "own seed other-test near tested far")
}

func TestSourcesFindsOtherModules(t *testing.T) {
	dir := tree(t,
		"m/go.mod", "module example.com/m\nrequire (\n\texample.com/Dep v1.2.0 // indirect\n\texample.com/Dep/sub v0.1.0\n)\n"+
			"require example.com/old v1.0.0\nreplace example.com/old => \"example.com/new\" v2.0.0\nreplace example.com/mine v1.0.0 => ../mine\n",
		"m/p_test.go", target("example.com/testing"),
		"m/p.go", "package p\nimport _ `example.com/Dep/pkg`\nimport _ `example.com/Dep/sub/pkg`\nimport _ `example.com/old`\nimport _ `example.com/mine`\nimport _ `example.com/indirect`",
		"mine/go.mod", "module example.com/mine",
		"mine/m.go", "package mine\nimport _ `example.com/mine/deep`\nconst x = `mine`",
		"mine/deep/d.go", "package deep\nconst x = `deep`",
		"mod/example.com/!dep@v1.2.0/pkg/p.go", "package pkg\nimport _ `example.com/Dep/sub/further`\nconst x = `dep`",
		"mod/example.com/!dep/sub@v0.1.0/pkg/p.go", "package pkg\nconst x = `sub`",
		"mod/example.com/!dep/sub@v0.1.0/further/p.go", "package further\nconst x = `further`",
		"mod/example.com/new@v2.0.0/p.go", "package pkg\nconst x = `new`",
	)
	expect(t, found(t, filepath.Join(dir, "m"), "GOMODCACHE="+filepath.Join(dir, "mod")), "seed mine deep dep sub new")
	if err := os.MkdirAll(filepath.Join(dir, "home", "go", "pkg"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "mod"), filepath.Join(dir, "home", "go", "pkg", "mod")); err != nil {
		t.Fatal(err)
	}
	expect(t, found(t, filepath.Join(dir, "m"), "HOME="+filepath.Join(dir, "home")), "seed mine deep dep sub new")
	expect(t, found(t, filepath.Join(dir, "m"), "GOPATH="+filepath.Join(dir, "home", "go")), "seed mine deep dep sub new")
	expect(t, found(t, filepath.Join(dir, "m")), "seed mine deep")
}

func TestSourcesUsesWorkspacesAndVendoredCopies(t *testing.T) {
	dir := tree(t,
		"go.work", "go 1.24\nuse (\n\t./m\n\t./n\n)\n",
		"m/go.mod", "module example.com/m\n", "m/p_test.go", target(),
		"m/p.go", "package p\nimport _ `example.com/n`\nimport _ `example.com/dep`",
		"n/go.mod", "module example.com/n\n", "n/n.go", "package n\nconst x = `sibling`",
		"vendor/example.com/dep/d.go", "package dep\nconst x = `shared-copy`",
		"m/vendor/example.com/dep/d.go", "package dep\nconst x = `own-copy`",
	)
	expect(t, found(t, filepath.Join(dir, "m")), "seed sibling shared-copy")
	expect(t, found(t, filepath.Join(dir, "m"), "GOWORK=off"), "seed own-copy")
	expect(t, found(t, filepath.Join(dir, "m"), "GOWORK="+filepath.Join(dir, "go.work")), "seed sibling shared-copy")
}

func TestSourcesGivesNothingWhereTheTargetIsNot(t *testing.T) {
	dir := tree(t,
		"other/o_test.go", "package o\nconst x = `ab`\nfunc FuzzY(f *testing.F) {}",
		"method/m_test.go", "package m\nconst x = `ab`\nfunc (T) FuzzX(f *testing.F) {}",
		"code/c.go", "package c\nconst x = `ab`\nfunc FuzzX(f *testing.F) {}",
		"broken/b_test.go", "pack b\nconst x = `ab`\nfunc FuzzX(f *testing.F) {}",
	)
	for _, name := range []string{"other", "method", "code", "broken", "none"} {
		t.Run(name, func(t *testing.T) { expect(t, found(t, filepath.Join(dir, name)), "") })
	}
}

// A file may have syntax of a Go version that is newer than gnaw.
func TestSourcesReadsTheRestOfAFileThatDoesNotParse(t *testing.T) {
	dir := tree(t, "p_test.go", target(), "b.go", "package p\nconst x = `before`\nfunc {\nconst y = `behind`")
	if list := found(t, dir); !slices.Contains(list, "before") {
		t.Errorf("words are %v, want the one before the error among them", list)
	}
}

func TestSourcesLeavesFilesOutThatAreNotOfThePackage(t *testing.T) {
	dir := tree(t,
		"p_test.go", target(), "b.go", "package p\nconst x = `code`",
		"broken.go", "package\nconst x = `broken`",
		"gen.go", "//go:build ignore\n\npackage main\nconst x = `generator`",
		"a_gen.go", "//go:build ignore\n\npackage main\nconst x = `first`",
		"_off.go", "package p\nconst x = `off`", ".off.go", "package p\nconst x = `off`",
		"huge.go", "package p\nconst x = `huge`\n//"+strings.Repeat("x", maxSource),
		"dir.go/p.go", "package p\nconst x = `dir`",
	)
	expect(t, found(t, dir), "code seed")
}

func TestSourcesReadsAProgramThatIsTestedFromOutside(t *testing.T) {
	dir := tree(t,
		"a_test.go", "package main_test\nfunc FuzzX(f *testing.F) { f.Add(`seed`) }\n",
		"main.go", "package main\nconst x = `code`",
	)
	expect(t, found(t, dir), "code seed")
}

func TestSourcesReadsWhatReplacesAModule(t *testing.T) {
	dir := tree(t,
		"m/go.mod", "module example.com/m\nrequire example.com/old v1.0.0\nreplace example.com/old => example.com/new v2.0.0\n",
		"m/p_test.go", target(), "m/p.go", "package p\nimport _ `example.com/old`",
		"mod/example.com/old@v1.0.0/p.go", "package old\nconst x = `old`",
		"mod/example.com/new@v2.0.0/p.go", "package old\nconst x = `new`",
	)
	expect(t, found(t, filepath.Join(dir, "m"), "GOMODCACHE="+filepath.Join(dir, "mod")), "seed new")
}

func TestSourcesHasALimitAndIsDeterministic(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\nimport _ `example.com/m/near`\n")
	for i := range MaxWords {
		b.WriteString("const c" + strconv.Itoa(i) + " = `word" + strconv.Itoa(i) + "`\n")
	}
	dir := tree(t, "go.mod", "module example.com/m", "p_test.go", target(), "p.go", b.String(), "near/n.go", "package near\nconst x = `near`")
	first := found(t, dir)
	if len(first) != MaxWords || first[0] != "word0" || slices.Contains(first, "near") {
		t.Errorf("%d words from %s to %s", len(first), first[0], first[len(first)-1])
	}
	if !slices.Equal(first, found(t, dir)) {
		t.Error("the second call gives other words")
	}
}

func TestSourcesReturnsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Sources(ctx, Place{tree(t, "p_test.go", target()), "FuzzX", os.Getenv}); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func BenchmarkSources(b *testing.B) {
	for _, p := range []struct{ pkg, target string }{
		{"go/types", "TestManual"}, {"net/http", "TestServeFile"}, {"encoding/json", "FuzzUnmarshalJSON"}, {"image/png", "FuzzDecode"},
	} {
		b.Run(p.pkg, func(b *testing.B) {
			for b.Loop() {
				words := Sources(b.Context(), Place{filepath.Join(build.Default.GOROOT, "src", p.pkg), p.target, os.Getenv})
				b.ReportMetric(float64(len(words)), "words")
			}
		})
	}
}

package ci

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// Test says which files of a change the test binary of a package has.
type Test struct {
	Changed string // the first of them, absolute; empty: none, so the binary is as in the base
	Code    bool   // all of them are Go files of packages, and git tracks them: the call graph says which targets execute what has changed
}

// pkg is what go list prints about a package.
type pkg struct {
	ImportPath, Dir, ForTest                                    string
	Standard                                                    bool
	Module                                                      *struct{ GoMod, Dir string }
	GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles []string
	SFiles, SwigFiles, SwigCXXFiles, SysoFiles, EmbedFiles      []string
	TestGoFiles, XTestGoFiles, TestEmbedFiles, XTestEmbedFiles  []string
	Deps                                                        []string
}

// FindTests says for each of the packages, by import path, what a change does to its test binary. root is the absolute folder of the module.
func FindTests(ctx context.Context, src code.Source, root string, packages []string, c Changes) (map[string]Test, error) {
	list, err := code.List[*pkg](ctx, src, code.Query{Patterns: packages, Deps: true, Test: true})
	if err != nil && len(list) == 0 {
		return nil, fmt.Errorf("list what the test binaries consist of: %w", err)
	}
	byPath := map[string]*pkg{}
	for _, p := range list {
		byPath[p.ImportPath] = p
	}
	tests := map[string]Test{}
	for _, path := range packages {
		if byPath[path] == nil {
			return nil, fmt.Errorf("list what the test binaries consist of: go list does not print the package %s", path)
		}
		tests[path] = testOf(path, root, byPath, c)
	}
	return tests, nil
}

// testOf says what a change does to the test binary of the package path.
func testOf(path, root string, byPath map[string]*pkg, c Changes) Test {
	t := Test{Code: true}
	note := func(file string, isCode bool) {
		if file != "" && t.Changed == "" {
			t.Changed = file
		}
		t.Code = t.Code && (file == "" || isCode)
	}
	note(c.module(root), false)
	own := byPath[path]
	note(c.below(filepath.Join(own.Dir, "testdata")), false)
	deps := []string{path}
	if binary := byPath[path+".test"]; binary != nil {
		deps = binary.Deps
	}
	for _, d := range deps {
		p := byPath[d]
		if p == nil || p.Standard {
			continue
		}
		name, _, _ := strings.Cut(d, " ") // of the package that a variant for tests is of
		files := p.code()
		if name == path {
			note(c.first(own.Dir, slices.Concat(own.TestGoFiles, own.XTestGoFiles, own.TestEmbedFiles, own.XTestEmbedFiles)), false)
		}
		note(c.first(p.Dir, p.data()), false)
		for _, file := range files {
			if abs := p.abs(file); c.has[abs] && !strings.HasSuffix(file, "_test.go") {
				note(abs, !c.isNew[abs])
			}
		}
		note(c.removed(p.Dir), false)
		if p.Module != nil && p.Module.Dir != root && p.Module.Dir != "" {
			note(c.module(p.Module.Dir), false)
		}
	}
	if t.Changed == "" {
		t.Code = false
	}
	return t
}

// code returns the Go files of the package.
func (p *pkg) code() []string { return slices.Concat(p.GoFiles, p.CgoFiles) }

// data returns the other files of the package that its binary has.
func (p *pkg) data() []string {
	return slices.Concat(p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles)
}

func (p *pkg) abs(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(p.Dir, file)
}

// first returns the first of some files of a folder that has changed; empty: none.
func (c Changes) first(dir string, files []string) string {
	for _, f := range files {
		if abs := filepath.Join(dir, f); c.has[abs] {
			return abs
		}
	}
	return ""
}

// module returns a file that selects the versions of what a module imports, if it has changed; empty: none. A workspace is in the folder of the
// module or above.
func (c Changes) module(dir string) string {
	if file := c.first(dir, []string{"go.mod", "go.sum", filepath.Join("vendor", "modules.txt")}); file != "" {
		return file
	}
	for at := dir; ; at = filepath.Dir(at) {
		if file := c.first(at, []string{"go.work", "go.work.sum"}); file != "" || at == filepath.Dir(at) {
			return file
		}
	}
}

// removed returns a Go file that the change has removed from a folder; empty: none.
func (c Changes) removed(dir string) string {
	for _, f := range c.Files {
		if filepath.Dir(f) != dir || !strings.HasSuffix(f, ".go") {
			continue
		}
		if _, err := os.Lstat(f); os.IsNotExist(err) {
			return f
		}
	}
	return ""
}

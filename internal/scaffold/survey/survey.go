// Package survey reads the exported functions of Go packages, what these functions do, and with which texts the tests call them. It
// executes nothing but the go command.
package survey

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// Package is a package with its tests. Load does not change it after it has returned it.
type Package struct {
	Path    string // import path
	Name    string
	Dir     string // absolute
	Header  string // license comment at the beginning of all test files; empty: they have no common one
	Problem string // why no target can be written in it; empty: targets can be written
	Broken  bool   // Problem is that it does not compile

	Types  *types.Package
	Funcs  []*Func             // exported functions and methods of exported types, in the order of the sources
	Inner  []*Func             // all other functions and methods, with Key, Obj, Doc, Uses and Args only
	Taken  map[string]bool     // names that are declared in the package, in the files of its tests too
	Files  map[string]bool     // base names of its Go files
	Consts map[string][]string // exported constants of each type of the package, by the name of the type, in the order of the sources
	Called map[string]string   // for each function that a fuzz target calls, the name of such a target, with its file if the build leaves that out
}

// Func returns the function with a key; nil: there is none.
func (p *Package) Func(key string) *Func {
	for _, f := range p.Funcs {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// Func is a function or a method.
type Func struct {
	Key   string // Name, or Type.Name
	Obj   *types.Func
	Doc   string
	Code  *Code
	Avoid string   // why no target may call it with arbitrary inputs, a clause such as "it calls os.Remove"; empty: a target may
	Uses  int      // number of calls in tests
	Args  [][]Arg  // constants that tests pass to each parameter
	Texts []string // constants in the tests that call it, at most maxTexts
	Globs []string // patterns of files in testdata that these tests read
}

// Load surveys the packages that match patterns, and returns them in the order of their import paths. It returns an error if the go command
// fails or ctx ends.
func Load(ctx context.Context, src code.Source, patterns []string) ([]*Package, error) {
	loaded, err := src.Load(ctx, code.LoadOptions{Mode: code.Alone, Tests: true}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	byPath := map[string]*variants{}
	for _, p := range loaded {
		path := p.ForTest
		if path == "" {
			path = p.PkgPath
		}
		v := byPath[path]
		if v == nil {
			v = &variants{}
			byPath[path] = v
		}
		switch {
		case code.IsTestMain(p):
		case p.ForTest == "":
			v.plain = p
		case p.PkgPath == path:
			v.inside = p
		default:
			v.outside = p
		}
	}
	var list []*Package
	for path, v := range byPath {
		if v.plain != nil {
			list = append(list, survey(path, v))
		}
	}
	slices.SortFunc(list, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// variants are the forms in which the go command loads one package.
type variants struct {
	plain   *packages.Package // without tests
	inside  *packages.Package // with its internal tests; nil: it has none
	outside *packages.Package // its external tests; nil: it has none
}

// full returns the package with its internal tests.
func (v *variants) full() *packages.Package {
	if v.inside != nil {
		return v.inside
	}
	return v.plain
}

func survey(path string, v *variants) *Package {
	full := v.full()
	p := &Package{
		Path: path, Name: full.Name, Dir: full.Dir, Types: full.Types, Taken: map[string]bool{}, Files: map[string]bool{},
		Consts: map[string][]string{}, Called: map[string]string{},
	}
	if p.Problem, p.Broken = problem(v), len(full.Errors) > 0; p.Problem != "" {
		return p
	}
	for _, name := range full.Types.Scope().Names() {
		p.Taken[name] = true
	}
	p.readConsts()
	files := slices.Clone(full.CompiledGoFiles)
	if v.outside != nil {
		files = append(files, v.outside.CompiledGoFiles...)
		for _, name := range v.outside.Types.Scope().Names() {
			p.Taken[name] = true
		}
	}
	for _, f := range files {
		p.Files[filepath.Base(f)] = true
	}
	e := newEffects(full)
	c := newCodes(full, e.decls)
	for _, file := range full.Syntax {
		if isTest(full.Fset, file) || ast.IsGenerated(file) {
			continue
		}
		for _, d := range file.Decls {
			f := declared(full, d)
			switch {
			case f == nil:
			case !f.isExported():
				p.Inner = append(p.Inner, f)
			default:
				f.Avoid, f.Code = e.reason(f.Obj), c.of(f.Obj)
				f.Code.Changes, f.Code.Sets = e.changesReceiver(f.Obj), e.setsReceiver(f.Obj)
				p.Funcs = append(p.Funcs, f)
			}
		}
	}
	readTests(p, v)
	readExcluded(p, v)
	p.Header = header(v)
	return p
}

// header returns the license comment at the beginning of all test files of a package; empty: they have no common one.
func header(v *variants) (text string) {
	first := true
	for _, from := range []*packages.Package{v.inside, v.outside} {
		if from == nil {
			continue
		}
		for _, file := range from.Syntax {
			if !isTest(from.Fset, file) {
				continue
			}
			own := license(file)
			if !first && own != text {
				return ""
			}
			text, first = own, false
		}
	}
	return text
}

// license returns the license comment at the beginning of a file; empty: there is none.
func license(file *ast.File) string {
	if len(file.Comments) == 0 || file.Comments[0].End() >= file.Package || file.Comments[0] == file.Doc {
		return ""
	}
	lines := make([]string, len(file.Comments[0].List))
	for i, c := range file.Comments[0].List {
		lines[i] = c.Text
	}
	text := strings.Join(lines, "\n")
	if !strings.Contains(text, "Copyright") && !strings.Contains(text, "SPDX-License-Identifier") || strings.Contains(text, "//go:") {
		return ""
	}
	return text
}

// readConsts sets p.Consts.
func (p *Package) readConsts() {
	var list []*types.Const
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *types.Const) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, c := range list {
		if named, ok := types.Unalias(c.Type()).(*types.Named); ok && named.Obj().Pkg() == p.Types {
			p.Consts[named.Obj().Name()] = append(p.Consts[named.Obj().Name()], c.Name())
		}
	}
}

// problem returns why no target can be written in a package; empty: targets can be written.
func problem(v *variants) string {
	full := v.full()
	switch {
	case len(full.Errors) > 0:
		return "it does not compile: " + code.Problem(full)
	case full.Name == "main":
		return "it is a program"
	case strings.HasSuffix(full.Name, "_test"):
		return "its name ends with _test, so its test files would belong to another package"
	case slices.ContainsFunc(full.CompiledGoFiles, func(f string) bool { return !slices.Contains(full.GoFiles, f) }): // made by cgo
		return "it uses cgo"
	case full.Dir == "":
		return "it has no folder"
	}
	return ""
}

// declared returns the function that d declares; nil: d declares no function, a generic function, or a method of a generic type.
func declared(p *packages.Package, d ast.Decl) *Func {
	decl, ok := d.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	obj, ok := p.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return nil
	}
	sig := obj.Signature()
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || sig.Recv() != nil && code.NamedOf(sig.Recv().Type()) == nil {
		return nil
	}
	return &Func{Key: code.LocalName(obj), Obj: obj, Doc: decl.Doc.Text()}
}

// isExported reports whether f is an exported function, or an exported method of an exported type.
func (f *Func) isExported() bool {
	recv := f.Obj.Signature().Recv()
	return f.Obj.Exported() && (recv == nil || code.NamedOf(recv.Type()).Obj().Exported())
}

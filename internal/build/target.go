package build

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// Target is a fuzz test: a func FuzzXxx(f *testing.F) of the user's.
type Target struct {
	fuzz.Name        // its package is the one that it tests, also when it is in package p_test
	Module    string // path of the package's module; empty in the standard library
	Dir       string // folder of the package
	File      string // absolute name of the file that declares it
	Line      int

	Outside *Outside // nil: it is in a main module
}

// Outside says where a target is fuzzed whose package is not in a main module: the module cache and GOROOT must not be written to.
type Outside struct {
	Module  string // path of the module that has its sources; [StdModule] for the standard library
	Version string // of the module or the toolchain; [LocalVersion] for a folder that a replace directive names
	Line    int    // of the main go.mod that requires the module; 0: none does
	Root    string // absolute folder of the sources of the module
	Work    string // absolute folder of the package in a private copy of the module, in which test processes run
	Home    string // absolute folder whose testdata/fuzz keeps failing inputs; it may not exist
	Keeper  string // absolute folder of the module that Home is in; gnaw follows no symbolic link out of it

	Policy []string // places of the security policy of the module: an absolute file, an address, or both

	Replaced bool // a replace directive names the module or the folder

	// Written are the absolute names of the files with targets that gnaw init has written for the package. The test binary is built as if
	// they were in the folder of the package.
	Written []string
	Copy    string // absolute folder of a copy of the module that the test binary is built from; empty: it is built from Root
}

// Names of what has no module, or no version.
const (
	StdModule    = "std"
	LocalVersion = "local"
)

// Work returns the folder in which test processes of the target run.
func (t Target) Work() string {
	if t.Outside != nil {
		return t.Outside.Work
	}
	return t.Dir
}

// Home returns the folder of the package whose testdata/fuzz keeps failing inputs.
func (t Target) Home() string {
	if t.Outside != nil {
		return t.Outside.Home
	}
	return t.Dir
}

// built returns the folder with the sources of the package that the test binary is built from.
func (t Target) built() string {
	if t.Outside == nil || t.Outside.Copy == "" {
		return t.Dir
	}
	return filepath.Join(t.Outside.Copy, t.relative())
}

// relative returns the folder of a package outside of the main modules in its module.
func (t Target) relative() string {
	rel, err := filepath.Rel(t.Outside.Root, t.Dir)
	if err != nil {
		return "."
	}
	return rel
}

// ModulePath returns the import path of the root of the module of a package outside of the main modules.
func (t Target) ModulePath() string {
	if rel := t.relative(); rel != "." {
		return strings.TrimSuffix(t.Package, "/"+filepath.ToSlash(rel))
	}
	return t.Package
}

// Original returns the original of a source file of the test binary that is a copy, and other files as they are.
func (t Target) Original(file string) string {
	if t.Outside == nil || len(t.Outside.Written) == 0 {
		return file
	}
	if filepath.Dir(file) == t.built() {
		for _, name := range t.Outside.Written {
			if filepath.Base(name) == filepath.Base(file) {
				return name
			}
		}
	}
	if rel, err := filepath.Rel(t.Outside.Copy, file); t.Outside.Copy != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.Join(t.Outside.Root, rel)
	}
	return file
}

// TargetsIn finds the fuzz tests in a test file by the rule of go test. Of their fields, the name, the file and the line are set. The error
// says why the file cannot be used.
func TargetsIn(file string) ([]Target, error) {
	text, err := disk.Read(file, disk.MaxSource)
	if err != nil {
		return nil, fmt.Errorf("read a test file: %w", err)
	}
	return targetsIn(file, text)
}

// targetsIn finds the fuzz tests of one file by the rule of `go test`. A name that fits with a signature that does not
// is an error, as it is there.
func targetsIn(file string, text []byte) (targets []Target, err error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if list := scanner.ErrorList(nil); errors.As(err, &list) && len(list) > 0 {
		return nil, list[0] // one sentence; the compiler has the rest
	}
	if err != nil {
		return nil, err
	}
	for _, d := range tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !gocommand.IsTargetName(fn.Name.Name) {
			continue
		}
		pos := fset.PositionFor(fn.Pos(), false)
		if !hasFuzzSignature(fn, tree.Imports) {
			return nil, fmt.Errorf("%s:%d: wrong signature for %s, must be: func %[3]s(f *testing.F)",
				file, pos.Line, fn.Name.Name)
		}
		targets = append(targets, Target{Name: fuzz.Name{Func: fn.Name.Name}, File: file, Line: pos.Line})
	}
	return targets, nil
}

// hasFuzzSignature reports whether fn is a func(*testing.F), under whatever name the file imports package testing.
func hasFuzzSignature(fn *ast.FuncDecl, imports []*ast.ImportSpec) bool {
	t := fn.Type
	if t.TypeParams != nil || t.Results.NumFields() > 0 || t.Params.NumFields() != 1 {
		return false
	}
	star, ok := t.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	written := code.Selector(star.X)
	for _, im := range imports {
		if path, err := strconv.Unquote(im.Path.Value); err != nil || path != "testing" {
			continue
		}
		switch name := code.ImportName(im); {
		case name == "." && written == "F", written == name+".F":
			return true
		}
	}
	return false
}

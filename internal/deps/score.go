package deps

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// Reach says how close a package is to the code of the program. It is a factor of the score.
type Reach int

// The reaches.
const (
	NotLinked Reach = 0 // the program does not contain it
	Linked    Reach = 2 // another dependency imports it
	Direct    Reach = 4 // the main module imports it
)

// String returns a word for a table.
func (r Reach) String() string {
	switch r {
	case Direct:
		return "direct"
	case Linked:
		return "linked"
	}
	return "no"
}

// reach returns the reach of each linked package, by import path.
func reach(packages []gocommand.LinkedPackage) map[string]Reach {
	m := map[string]Reach{}
	for _, p := range packages {
		m[p.ImportPath] = Linked
	}
	for _, p := range packages {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		for _, imported := range p.Imports {
			m[imported] = Direct
		}
	}
	return m
}

// Kind says whether a package reads data that others make. It is a factor of the score.
type Kind int

// The kinds.
const (
	Other Kind = 1
	Input Kind = 3 // an exported function parses text or bytes, or the package imports one that reads data
)

// readers are packages of the standard library whose importers read data. A name that ends in a slash stands for all packages below.
var readers = []string{"net", "net/", "encoding/", "compress/", "archive/", "crypto/x509"}

// kindOf returns the kind of a package, whose sources are in dir.
func kindOf(dir string, imports []string) Kind {
	if importsReader(imports) {
		return Input
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err == nil && slices.ContainsFunc(files, func(name string) bool {
		if strings.HasSuffix(name, "_test.go") {
			return false
		}
		text, err := disk.Read(name, disk.MaxSource)
		return err == nil && parses(text)
	}) {
		return Input
	}
	return Other
}

func importsReader(imports []string) bool {
	return slices.ContainsFunc(imports, func(path string) bool {
		return slices.ContainsFunc(readers, func(r string) bool { return path == r || strings.HasSuffix(r, "/") && strings.HasPrefix(path, r) })
	})
}

// parses reports whether a source file has an exported function that takes a []byte, a string or an io.Reader and returns an error.
func parses(text []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Name.IsExported() && f.Type.Results != nil && hasType(f.Type.Params, isData) && hasType(f.Type.Results, isError)
	})
}

func hasType(list *ast.FieldList, is func(ast.Expr) bool) bool {
	return slices.ContainsFunc(list.List, func(f *ast.Field) bool { return is(f.Type) })
}

func isError(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "error"
}

func isData(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "string"
	case *ast.ArrayType:
		id, ok := e.Elt.(*ast.Ident)
		return e.Len == nil && ok && id.Name == "byte"
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		return ok && id.Name == "io" && e.Sel.Name == "Reader"
	}
	return false
}

// Score says how soon a target is fuzzed: a target with a higher score comes first. It is 0 for a package that is not linked.
func (t Candidate) Score() int {
	stale := 1
	if t.Fresh {
		stale = 2
	}
	return int(t.Reach) * int(t.Kind) * stale
}

// words are parts of import paths of packages that read data. They decide between targets with the same score.
var words = []string{"parse", "decode", "proto", "http", "jwt", "xml", "yaml"}

// compareWords orders packages whose import paths contain one of the words before others.
func compareWords(a, b string) int {
	switch x, y := hasWord(a), hasWord(b); {
	case x && !y:
		return -1
	case y && !x:
		return 1
	}
	return 0
}

func hasWord(pkg string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(pkg, w) })
}

// Rank notes when targets were fuzzed, by the records of the history with the latest first, and returns the targets in the order of
// their scores.
func Rank(targets []Candidate, tc gocommand.Toolchain, fuzzed []store.Dependency) []Candidate {
	ranked := slices.Clone(targets)
	for i := range ranked {
		t := &ranked[i]
		t.Fresh = true
		for _, d := range fuzzed {
			if d.Target.Package != t.Package || d.Target.Func != t.Func {
				continue
			}
			if t.Last.IsZero() {
				t.Last = d.Last
			}
			if d.Version == t.Outside.Version && d.Go == tc.Version && d.Arch == tc.Arch {
				t.Fresh = false
			}
		}
	}
	slices.SortStableFunc(ranked, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score(), a.Score()), compareWords(a.Package, b.Package), a.Name.Compare(b.Name))
	})
	return ranked
}

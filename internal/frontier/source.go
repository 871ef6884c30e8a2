package frontier

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// source is the syntax trees of a package, with their types.
type source struct {
	path     string // import path
	dir      string
	fset     *token.FileSet
	files    map[string]*ast.File // by base name
	texts    map[string][]byte    // by base name
	info     *types.Info          // empty: the types are not known
	operands int                  // how many operands are observed
}

// sourceOf returns the files of a package that are in its folder. It leaves out those that cgo makes, and those that cannot be read.
func sourceOf(p *packages.Package) *source {
	s := &source{path: p.PkgPath, fset: p.Fset, files: map[string]*ast.File{}, texts: map[string][]byte{}, info: p.TypesInfo}
	if len(p.GoFiles) > 0 {
		s.dir = filepath.Dir(p.GoFiles[0])
	}
	for _, tree := range p.Syntax {
		file := s.at(tree.Package).Filename
		if filepath.Dir(file) != s.dir {
			continue
		}
		if text, err := disk.Read(file, disk.MaxSource); err == nil {
			s.files[filepath.Base(file)], s.texts[filepath.Base(file)] = tree, text
		}
	}
	return s
}

// value returns the value of a constant expression; nil: the expression is not constant, or its value is not known.
func (s *source) value(e ast.Expr) constant.Value { return s.info.Types[e].Value }

// text returns the source of a node on one line.
func (s *source) text(n ast.Node) string {
	from, to := s.at(n.Pos()), s.at(n.End())
	text := s.texts[filepath.Base(from.Filename)]
	if to.Offset > len(text) || from.Offset > to.Offset {
		return ""
	}
	return strings.Join(strings.Fields(string(text[from.Offset:to.Offset])), " ")
}

// at returns a position in the file, without regard to //line directives.
func (s *source) at(p token.Pos) token.Position { return s.fset.PositionFor(p, false) }

// position returns a position as in [coverage.Block]: the name of the file, and the line and column.
func (s *source) position(p token.Pos) (file string, at coverage.Position) {
	pos := s.at(p)
	return s.fileName(filepath.Base(pos.Filename)), coverage.Position{Line: pos.Line, Column: pos.Column}
}

// fileName returns the name of a file of the package as in [coverage.Block].
func (s *source) fileName(base string) string { return path.Join(s.path, base) }

// function returns the key of the declared function that contains a position; empty: there is none.
func (s *source) function(at token.Pos) (key string) {
	for d := range s.functions() {
		if o, ok := s.info.Defs[d.Name].(*types.Func); ok && d.Pos() <= at && at < d.End() {
			key = code.Key(o)
		}
	}
	return key
}

// functions yields the declared functions.
func (s *source) functions() iter.Seq[*ast.FuncDecl] {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, tree := range s.files {
			for _, d := range tree.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && !yield(f) {
					return
				}
			}
		}
	}
}

// reflects reports whether an expression has a part whose value is one of package reflect.
func (s *source) reflects(e ast.Expr) (found bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && !found {
			named := code.NamedOf(s.info.TypeOf(x))
			found = named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "reflect"
		}
		return !found
	})
	return found
}

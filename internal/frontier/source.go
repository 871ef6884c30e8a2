package frontier

import (
	"errors"
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// testSuffix ends the path of the external tests of a package.
const testSuffix = "_test"

// source is the syntax trees of a package, with their types.
type source struct {
	path     string // import path
	dir      string
	fset     *token.FileSet
	files    map[string]*ast.File // by base name
	texts    map[string][]byte    // by base name
	info     types.Info
	given    map[types.Object]constant.Value // values of constants that are declared with a literal, also if their types are not known
	operands int                             // how many operands are observed
	reached  func(p token.Pos) bool          // reports whether an input, or code around inputs, reaches the block at a position
}

// errNoImports is the error for each import of a package that is checked without the types of its imports.
var errNoImports = errors.New("imports are not loaded")

// noImports is an importer without packages.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errNoImports }

// loading is how sources are read.
type loading struct {
	imports types.Importer // has the types of imports; nil: they are not known
	tags    []string       // build tags
}

// readSource parses the files of a package in a folder. named has the base names of the files whose blocks are counted. readSource also parses
// the other files of the folder whose build constraints hold, because they may declare constants, and with tests its internal tests. It ignores
// a file that does not parse, and an import whose types are not known.
func readSource(pkg, dir string, named map[string]bool, tests bool, how loading) *source {
	return readFiles(pkg, dir, how, func(name string, tree *ast.File) bool {
		return !strings.HasSuffix(name, "_test.go") || tests && !strings.HasSuffix(tree.Name.Name, testSuffix)
	}, named)
}

// readTests parses the external tests of a package.
func readTests(pkg, dir string, how loading) *source {
	return readFiles(pkg+testSuffix, dir, how, func(name string, tree *ast.File) bool {
		return strings.HasSuffix(name, "_test.go") && strings.HasSuffix(tree.Name.Name, testSuffix)
	}, nil)
}

// readFiles parses the files of a folder that belong to a package. Those of named are parsed even if their build constraints do not hold.
func readFiles(pkg, dir string, how loading, belongs func(name string, tree *ast.File) bool, named map[string]bool) *source {
	s := &source{path: pkg, dir: dir, fset: token.NewFileSet(), files: map[string]*ast.File{}, texts: map[string][]byte{}}
	list, err := os.ReadDir(dir)
	if err != nil {
		return s
	}
	goCommand := build.Default
	goCommand.BuildTags = how.tags
	var trees []*ast.File
	for _, e := range list {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if fits, err := goCommand.MatchFile(dir, name); !named[name] && (err != nil || !fits) {
			continue
		}
		text, err := disk.Read(filepath.Join(dir, name), disk.MaxSource)
		if err != nil {
			continue
		}
		tree, err := parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err == nil && belongs(name, tree) {
			s.files[name], s.texts[name] = tree, text
			trees = append(trees, tree)
		}
	}
	s.info = types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	if how.imports == nil {
		how.imports = noImports{}
	}
	conf := types.Config{Importer: how.imports, FakeImportC: true, DisableUnusedImportCheck: true, Error: func(error) {}}
	_, _ = conf.Check(pkg, s.fset, trees, &s.info) // code that needs the types of an import that is not there is an error
	s.given = map[types.Object]constant.Value{}
	for _, tree := range trees {
		ast.Inspect(tree, s.give)
	}
	return s
}

// give notes the constants that a declaration sets to a literal. The type of such a constant may be one of an import.
func (s *source) give(n ast.Node) bool {
	spec, ok := n.(*ast.ValueSpec)
	if !ok || len(spec.Names) != len(spec.Values) {
		return true
	}
	for i, id := range spec.Names {
		lit, literal := spec.Values[i].(*ast.BasicLit)
		if o, ok := s.info.Defs[id].(*types.Const); ok && literal {
			s.given[o] = constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
		}
	}
	return true
}

// value returns the value of a constant expression; nil: the expression is not constant, or its value is not known.
func (s *source) value(e ast.Expr) constant.Value {
	if v := s.info.Types[e].Value; v != nil {
		return v
	}
	if id, ok := e.(*ast.Ident); ok {
		return s.given[s.object(id)]
	}
	return nil
}

// text returns the source of a node on one line.
func (s *source) text(n ast.Node) string {
	from, to := s.at(n.Pos()), s.at(n.End())
	text := s.texts[from.Filename]
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
	return s.fileName(pos.Filename), coverage.Position{Line: pos.Line, Column: pos.Column}
}

// object returns the object that an identifier denotes; nil: it is not known.
func (s *source) object(id *ast.Ident) types.Object {
	if o := s.info.Uses[id]; o != nil {
		return o
	}
	return s.info.Defs[id]
}

// imported returns the import path of the package whose function is called, as in os.Open(name); empty: it is another call.
func (s *source) imported(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	if p, ok := s.object(id).(*types.PkgName); ok {
		return p.Imported().Path()
	}
	return ""
}

// global reports whether an object is a constant or a variable of a package.
func global(o types.Object) bool {
	switch o := o.(type) {
	case *types.Const, *types.PkgName:
		return true
	case *types.Var:
		return code.PackageVariable(o)
	}
	return false
}

// fileName returns the name of a file of the package as in [coverage.Block].
func (s *source) fileName(base string) string { return path.Join(s.path, base) }

// structOf returns a type as a struct; nil: it is none.
func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

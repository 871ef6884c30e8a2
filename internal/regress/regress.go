// Package regress writes an ordinary Go test for a finding: the test calls the function that the target passes to F.Fuzz, with the failing
// input as typed literals. The package reads source code and does not execute the target.
package regress

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Options says what a test is made of.
type Options struct {
	File   string     // test file with the target
	Source []byte     // its content
	Target string     // name of the target
	ID     string     // of the finding, as it is in the name of the test
	Title  string     // message of the failure; it may have any characters
	Args   input.Args // the input
	// Measure says what to measure if the function passes with the input; nil: it fails.
	Measure *Measure
	// PackageName returns the name of the package with this import path. nil, or an empty result: the last element.
	PackageName func(path string) string
}

// TestName returns the name of the test.
func (o Options) TestName() string { return "TestRegress" + o.Target + "_" + o.ID }

// systems are the common endings of file names that restrict a file to one system.
var systems = []string{"linux", "darwin", "windows", "freebsd", "amd64", "arm64", "js", "wasm", "wasip1", "386", "arm"}

// FileName returns the name for the file of the test. It keeps an ending for a system, as in "parse_linux_test.go".
func (o Options) FileName() string {
	name := strings.Split(strings.TrimSuffix(filepath.Base(o.File), "_test.go"), "_")
	first := len(name)
	for first > 1 && slices.Contains(systems, name[first-1]) {
		first--
	}
	return strings.Join(append([]string{"fuzz_regress_" + o.ID}, name[first:]...), "_") + "_test.go"
}

// Test returns the file with the test, formatted. The error says what of the target cannot be in a test.
func Test(o Options) ([]byte, error) {
	p, err := parse(o)
	if err != nil {
		return nil, err
	}
	if err := p.findCall(); err != nil {
		return nil, err
	}
	if p.before, err = p.setup(); err != nil {
		return nil, err
	}
	if err := p.bindUsed(); err != nil {
		return nil, err
	}
	args := literals(o.Args)
	var extra []string
	if needMath(args) {
		extra = append(extra, "math")
	}
	what := "an input that made it fail"
	if o.Measure != nil {
		extra = append(extra, measureImports[o.Measure.Kind]...)
		what = "an input with which it passes, and measures"
	}
	var b bytes.Buffer
	for _, line := range p.constraints() {
		fmt.Fprintf(&b, "%s\n\n", line)
	}
	fmt.Fprintf(&b, "package %s\n\n", p.tree.Name.Name)
	writeImports(&b, p.imports(extra))
	fmt.Fprintf(&b, "\n// %s runs the function of %s with %s:\n// %s\n",
		o.TestName(), o.Target, what, report.Line(strings.Join(strings.Fields(o.Title), " ")))
	if err := p.writeFunc(&b, args); err != nil {
		return nil, err
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the test: %w", err)
	}
	return out, nil
}

// writeFunc writes the test.
func (p *program) writeFunc(b *bytes.Buffer, args []string) error {
	fmt.Fprintf(b, "func %s(t *testing.T) {\n", p.TestName())
	for _, v := range p.bound {
		fmt.Fprintf(b, "var %s %s = %s\n", v.name.Name, p.text(v.typ), p.text(v.value))
	}
	for _, stmt := range p.before {
		fmt.Fprintf(b, "%s\n", p.renamed(stmt))
	}
	function := p.text(p.arg)
	if _, isLiteral := p.arg.(*ast.FuncLit); isLiteral {
		fmt.Fprintf(b, "check := %s\n", function)
		function = "check"
	}
	if p.Measure == nil {
		fmt.Fprintf(b, "%s(t,\n%s,\n)\n}\n", function, strings.Join(args, ",\n"))
		return nil
	}
	body, err := p.Measure.body(function, p.Args)
	if err != nil {
		return err
	}
	if len(p.before)+len(p.bound) > 0 { // whose names may be those of the measurement
		body = "{\n" + body + "}\n"
	}
	fmt.Fprintf(b, "%s}\n", body)
	return nil
}

// program is the file of the target.
type program struct {
	Options
	fset *token.FileSet
	tree *ast.File
	info types.Info
	fuzz *ast.FuncDecl // the target, or the function that calls F.Fuzz for it
	f    types.Object  // its *testing.F
	call ast.Stmt      // its statement with F.Fuzz in it
	arg  ast.Expr      // what F.Fuzz is called with

	bound  []binding  // parameters of the function that calls F.Fuzz for the target, if the test uses them
	before []ast.Stmt // statements of the target, or of that function, that the test begins with
}

func parse(o Options) (*program, error) {
	p := &program{Options: o, fset: token.NewFileSet()}
	p.info = types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	var err error
	if p.tree, err = parser.ParseFile(p.fset, o.File, o.Source, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("read the test file of %s: %w", o.Target, err)
	}
	// Only names and the signatures of the package are wanted. Imported packages are empty, and the errors that follow do not matter.
	conf := types.Config{Importer: importer(o.name), Error: func(error) {}, FakeImportC: true}
	_, _ = conf.Check(p.tree.Name.Name, p.fset, append([]*ast.File{p.tree}, p.siblings()...), &p.info)
	for _, d := range p.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == o.Target && f.Body != nil {
			p.fuzz = f
		}
	}
	if p.fuzz == nil {
		return nil, fmt.Errorf("%s is not in %s", o.Target, filepath.Base(o.File))
	}
	return p, nil
}

// importer makes packages with the right names. They are empty, but package testing has TB.
type importer func(path string) string

// Import implements types.Importer.
func (name importer) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, name(path))
	if path == "testing" {
		tb := types.NewTypeName(token.NoPos, pkg, "TB", nil)
		types.NewNamed(tb, types.NewInterfaceType(nil, nil), nil)
		pkg.Scope().Insert(tb)
	}
	pkg.MarkComplete()
	return pkg, nil
}

// name returns the name of a package.
func (o Options) name(path string) string {
	if o.PackageName != nil {
		if name := o.PackageName(path); name != "" {
			return name
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

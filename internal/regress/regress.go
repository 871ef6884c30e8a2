// Package regress turns a finding into an ordinary Go test: the function that the target hands to F.Fuzz, called with
// the input that made it fail as typed literals. It works on source code and runs nothing.
package regress

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Options says what to make a test of.
type Options struct {
	File   string     // test file with the target
	Source []byte     // its content
	Target string     // name of the target
	ID     string     // of the finding, as it shall be in the name of the test
	Title  string     // what the failure is, one line
	Args   input.Args // the input
	// Measure says what to measure if the function passes with the input; nil: it fails.
	Measure *Measure
	// PackageName returns the name of the package with this import path. nil, or an empty result: the last element.
	PackageName func(path string) string
}

// TestName returns the name of the test.
func (o Options) TestName() string { return "TestRegress" + o.Target + "_" + o.ID }

// systems are the endings of file names that make them be for one system only, as far as people use them.
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

// Test returns the file with the test, formatted. The error says what in the target cannot be carried over.
func Test(o Options) ([]byte, error) {
	p, err := parse(o)
	if err != nil {
		return nil, err
	}
	if err := p.findCall(); err != nil {
		return nil, err
	}
	setup, err := p.setup()
	if err != nil {
		return nil, err
	}
	args := literals(o.Args)
	var b bytes.Buffer
	for _, line := range p.constraints() {
		fmt.Fprintf(&b, "%s\n\n", line)
	}
	fmt.Fprintf(&b, "package %s\n\n", p.tree.Name.Name)
	var extra []string
	if strings.Contains(strings.Join(args, ""), "math.") {
		extra = append(extra, "math")
	}
	if o.Measure != nil {
		extra = append(extra, measureImports[o.Measure.Kind]...)
	}
	writeImports(&b, p.imports(setup, extra))
	what := "an input that made it fail"
	if o.Measure != nil {
		what = "an input with which it passes, and measures"
	}
	fmt.Fprintf(&b, "\n// %s runs the function of %s with %s:\n// %s\n",
		o.TestName(), o.Target, what, strings.Join(strings.Fields(o.Title), " "))
	fmt.Fprintf(&b, "func %s(t *testing.T) {\n", o.TestName())
	for _, s := range setup {
		fmt.Fprintf(&b, "%s\n", p.text(s))
	}
	function := p.text(p.arg)
	if _, isLiteral := p.arg.(*ast.FuncLit); isLiteral {
		fmt.Fprintf(&b, "check := %s\n", function)
		function = "check"
	}
	if o.Measure == nil {
		fmt.Fprintf(&b, "%s(t,\n%s,\n)\n}\n", function, strings.Join(args, ",\n"))
	} else {
		body, err := o.Measure.body(function, o.Args)
		if err != nil {
			return nil, err
		}
		if len(setup) > 0 { // whose names may be those of the measurement
			body = "{\n" + body + "}\n"
		}
		fmt.Fprintf(&b, "%s}\n", body)
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the test: %w", err)
	}
	return out, nil
}

// program is the file of the target.
type program struct {
	Options
	fset *token.FileSet
	tree *ast.File
	info types.Info
	fuzz *ast.FuncDecl // the target
	f    types.Object  // its parameter
	call ast.Stmt      // the statement of the target with F.Fuzz in it
	arg  ast.Expr      // what F.Fuzz is called with
}

func parse(o Options) (*program, error) {
	p := &program{Options: o, fset: token.NewFileSet()}
	p.info = types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	var err error
	if p.tree, err = parser.ParseFile(p.fset, o.File, o.Source, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("read the test file of %s: %w", o.Target, err)
	}
	// Only names are wanted: the rest of the package, and what is imported, is not there, which makes errors that do not
	// matter.
	conf := types.Config{Importer: importer(o.name), Error: func(error) {}, FakeImportC: true}
	_, _ = conf.Check(p.tree.Name.Name, p.fset, []*ast.File{p.tree}, &p.info)
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

// importer makes empty packages with the right names.
type importer func(path string) string

// Import implements types.Importer.
func (name importer) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, name(path))
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

// findCall finds the call of F.Fuzz.
func (p *program) findCall() error {
	params := p.fuzz.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return fmt.Errorf("%s has no name for its *testing.F", p.Target)
	}
	p.f = p.info.Defs[params[0].Names[0]]
	for _, stmt := range p.fuzz.Body.List {
		ast.Inspect(stmt, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || p.arg != nil || len(call.Args) != 1 {
				return p.arg == nil
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Fuzz" {
				if x, ok := sel.X.(*ast.Ident); ok && p.info.Uses[x] == p.f {
					p.call, p.arg = stmt, call.Args[0]
				}
			}
			return p.arg == nil
		})
	}
	if p.arg == nil {
		return fmt.Errorf("%s does not call F.Fuzz itself; write the test by hand, `gnaw show` has the literals", p.Target)
	}
	return nil
}

// setup returns the statements of the target that declare or change what the function uses, in their order.
func (p *program) setup() (stmts []ast.Stmt, err error) {
	needed := p.locals(p.arg)
	for grown := true; grown; {
		grown = false
		for _, stmt := range p.fuzz.Body.List {
			if stmt == p.call {
				break
			}
			if slices.Contains(stmts, stmt) || !p.concerns(stmt, needed) {
				continue
			}
			if p.uses(stmt, p.f) {
				if p.declares(stmt, needed) {
					return nil, p.entangled()
				}
				continue // such as a loop that adds seeds
			}
			stmts, grown = append(stmts, stmt), true
			for obj := range p.locals(stmt) {
				needed[obj] = true
			}
		}
	}
	if needed[p.f] {
		return nil, p.entangled()
	}
	slices.SortFunc(stmts, func(a, b ast.Stmt) int { return int(a.Pos() - b.Pos()) })
	return stmts, nil
}

func (p *program) entangled() error {
	return fmt.Errorf("the function that %s hands to F.Fuzz uses %[2]s, or a variable that was made with it, which an ordinary "+
		"test does not have; move what it does into a function without %[2]s", p.Target, p.f.Name())
}

// locals returns the variables, constants and types of the target that are used in a node and not declared there.
func (p *program) locals(n ast.Node) map[types.Object]bool {
	found := map[types.Object]bool{}
	ast.Inspect(n, func(m ast.Node) bool {
		if id, ok := m.(*ast.Ident); ok {
			obj := p.info.Uses[id]
			if obj != nil && within(p.fuzz, obj.Pos()) && !within(n, obj.Pos()) {
				found[obj] = true
			}
		}
		return true
	})
	return found
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// concerns reports whether a statement declares or uses one of the objects.
func (p *program) concerns(stmt ast.Stmt, objs map[types.Object]bool) bool {
	for obj := range objs {
		if obj != p.f && (p.uses(stmt, obj) || within(stmt, obj.Pos())) {
			return true
		}
	}
	return false
}

func (p *program) declares(stmt ast.Stmt, objs map[types.Object]bool) bool {
	for obj := range objs {
		if within(stmt, obj.Pos()) {
			return true
		}
	}
	return false
}

func (p *program) uses(n ast.Node, obj types.Object) (yes bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		id, ok := m.(*ast.Ident)
		yes = yes || ok && p.info.Uses[id] == obj
		return !yes
	})
	return yes
}

// text is the source of a node, with its comments.
func (p *program) text(n ast.Node) string {
	return string(p.Source[p.fset.PositionFor(n.Pos(), false).Offset:p.fset.PositionFor(n.End(), false).Offset])
}

// constraints are the lines that say for which systems the file is.
func (p *program) constraints() (lines []string) {
	for _, group := range p.tree.Comments {
		for _, c := range group.List {
			if c.Pos() < p.tree.Package && constraint.IsGoBuild(c.Text) {
				lines = append(lines, c.Text)
			}
		}
	}
	return lines
}

// imports returns the import lines that the test needs: those of what it copies, and others.
func (p *program) imports(setup []ast.Stmt, extra []string) (lines []string) {
	used := map[types.Object]bool{}
	nodes := []ast.Node{p.arg}
	for _, s := range setup {
		nodes = append(nodes, s)
	}
	for _, n := range nodes {
		ast.Inspect(n, func(m ast.Node) bool {
			if id, ok := m.(*ast.Ident); ok {
				used[p.info.Uses[id]] = true
			}
			return true
		})
	}
	lines = append(lines, strconv.Quote("testing"))
	for _, path := range extra {
		lines = append(lines, strconv.Quote(path))
	}
	for obj := range used {
		name, ok := obj.(*types.PkgName)
		if !ok {
			continue
		}
		line := strconv.Quote(name.Imported().Path())
		if name.Name() != name.Imported().Name() {
			line = name.Name() + " " + line
		}
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(pathOf(a), pathOf(b)) })
	return slices.Compact(lines)
}

// writeImports writes the imports as people do: those of the standard library first, and apart.
func writeImports(b *bytes.Buffer, lines []string) {
	if len(lines) == 1 {
		fmt.Fprintf(b, "import %s\n", lines[0])
		return
	}
	b.WriteString("import (\n")
	for _, others := range []bool{false, true} {
		for i, line := range lines {
			first, _, _ := strings.Cut(pathOf(line), "/")
			if strings.Contains(first, ".") != others {
				continue
			}
			if others && !slices.ContainsFunc(lines[:i], func(l string) bool { return strings.Contains(l, ".") }) {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "\t%s\n", line)
		}
	}
	b.WriteString(")\n")
}

func pathOf(line string) string { return line[strings.IndexByte(line, '"'):] }

// literals returns the arguments as Go expressions. The encoding of testdata/fuzz is Go but for some floats.
func literals(a input.Args) []string {
	text := strings.Split(strings.TrimRight(string(input.Marshal(a)), "\n"), "\n")[1:]
	for i, line := range text {
		for kind, bits := range map[string]string{"float64": "%s", "float32": "float32(%s)"} {
			value, ok := strings.CutPrefix(line, kind+"(")
			if !ok {
				continue
			}
			switch strings.TrimSuffix(value, ")") {
			case "NaN":
				text[i] = fmt.Sprintf(bits, "math.NaN()")
			case "+Inf":
				text[i] = fmt.Sprintf(bits, "math.Inf(1)")
			case "-Inf":
				text[i] = fmt.Sprintf(bits, "math.Inf(-1)")
			case "-0": // a constant has no sign of zero
				text[i] = fmt.Sprintf(bits, "math.Copysign(0, -1)")
			}
		}
	}
	return text
}

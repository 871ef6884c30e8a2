package frontier

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

// program has the sources of the covered packages and of the tests that declare the targets, and the calls between their functions. It assumes
// that the call of a method of an interface calls each method of this name, and that a function calls the functions that it uses as values.
type program struct {
	sources   []*source
	functions map[string]*function   // by full name, as in types.Func.FullName
	methods   map[string][]*function // by name without the type
	fields    map[variable][]setter  // where fields are set
	globals   map[variable][]setter  // where variables of packages are set
	sites     map[string][]site      // calls, by the full name of the function that is called
	values    map[string]bool        // full names of functions that code uses as values, and names of methods that it calls through interfaces
	made      made
	reachable map[string]bool // full names of the functions that a target may call, or that an input reaches
}

// variable identifies a variable of a package, or all fields of a package that have the same name.
type variable struct{ pkg, name string }

// setter is a place that sets a variable.
type setter struct {
	in    *function
	value ast.Expr // nil: the value is not known
	at    token.Pos
}

// site is a call.
type site struct {
	in   *function
	call *ast.CallExpr
}

// function is a declared function, or a declaration of variables of a package, whose values may contain function literals.
type function struct {
	name   string // full name
	source *source
	decl   ast.Node    // *ast.FuncDecl or *ast.ValueSpec
	object *types.Func // nil for variables
	uses   []string    // full names of functions and variables
	calls  []string    // names of methods of interfaces
}

// newProgram links sources.
func newProgram(sources []*source) *program {
	p := &program{
		sources: sources, functions: map[string]*function{}, methods: map[string][]*function{}, fields: map[variable][]setter{},
		globals: map[variable][]setter{}, sites: map[string][]site{}, values: map[string]bool{}, reachable: map[string]bool{},
		made: made{map[variable][]*function{}, map[string][]computation{}},
	}
	for _, s := range sources {
		for _, name := range slices.Sorted(maps.Keys(s.files)) { // in this order, so that the texts of rows are the same each time
			for _, d := range s.files[name].Decls {
				p.declare(s, d)
			}
		}
	}
	return p
}

// declare adds the functions of a declaration.
func (p *program) declare(s *source, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		o, ok := s.info.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		f := &function{name: o.FullName(), source: s, decl: d, object: o}
		p.functions[f.name] = f
		if d.Recv != nil {
			p.methods[d.Name.Name] = append(p.methods[d.Name.Name], f)
		}
		p.read(f)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || d.Tok != token.VAR {
				continue
			}
			f := &function{source: s, decl: v}
			p.read(f)
			for _, id := range v.Names {
				if o := s.info.Defs[id]; o != nil {
					p.functions[s.path+"."+id.Name] = f
				}
			}
		}
	}
}

// read notes the functions and variables that a function uses, its calls, and the variables that it sets.
func (p *program) read(f *function) {
	p.made.note(f)
	called := map[*ast.Ident]bool{}
	ast.Inspect(f.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id := code.CalledIdent(n.Fun); id != nil {
				called[id] = true
				if o, ok := f.source.info.Uses[id].(*types.Func); ok {
					name := o.Origin().FullName()
					p.sites[name] = append(p.sites[name], site{f, n})
				}
			}
		case *ast.Ident:
			p.use(f, n, called[n])
		}
		p.sets(f, n)
		return true
	})
}

// use notes the use of a name.
func (p *program) use(f *function, id *ast.Ident, called bool) {
	switch o := f.source.info.Uses[id].(type) {
	case *types.Func:
		o = o.Origin()
		if code.IsOfInterface(o) {
			f.calls = append(f.calls, o.Name())
			p.values[o.Name()] = true
			return
		}
		f.uses = append(f.uses, o.FullName())
		if !called {
			p.values[o.FullName()] = true
		}
	case *types.Var:
		if global(o) {
			f.uses = append(f.uses, o.Pkg().Path()+"."+o.Name())
		}
	}
}

// sets notes the fields and the variables of packages that a node sets, or whose address it takes.
func (p *program) sets(f *function, n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			var value ast.Expr
			if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
				value = n.Rhs[i]
			}
			p.set(f, e, value)
		}
	case *ast.IncDecStmt:
		p.set(f, n.X, nil)
	case *ast.RangeStmt:
		p.set(f, n.Key, nil)
		p.set(f, n.Value, nil)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			p.set(f, n.X, nil)
		}
	case *ast.CallExpr: // a method with a pointer as its receiver may set the value
		for _, t := range f.source.escaping(n) {
			p.escapes(f, t, n.Pos())
		}
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && changes(f.source, sel) {
			p.set(f, sel.X, nil)
		}
	case *ast.CompositeLit:
		for i, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					p.set(f, id, kv.Value)
				}
				continue
			}
			if st := structOf(f.source.info.Types[n].Type); st != nil && i < st.NumFields() {
				p.fieldIs(f, st.Field(i), e, e.Pos())
			}
		}
	}
}

// escapes notes that a function sets the variables that a value of type t leads to, to values that are not known.
func (p *program) escapes(f *function, t types.Type, at token.Pos) {
	l := destinations{follows: p.declares}
	l.through(t)
	for _, t := range l.list {
		p.made.computes(f, t, nil)
		if st := structOf(t); st != nil {
			for field := range st.Fields() {
				p.fieldIs(f, field, nil, at)
			}
		}
	}
}

// changes reports whether a selector takes the address of its value, to call a method with it.
func changes(s *source, sel *ast.SelectorExpr) bool {
	selection := s.info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal {
		return false
	}
	_, pointer := selection.Recv().Underlying().(*types.Pointer)
	method, ok := selection.Obj().(*types.Func)
	if !ok || pointer || method.Signature().Recv() == nil {
		return false
	}
	_, takes := method.Signature().Recv().Type().(*types.Pointer)
	return takes
}

// set notes the variables that an assignment to the expression e sets: the fields in e, and the variable at its root. value is the assigned
// value; nil: it is not known.
func (p *program) set(f *function, e, value ast.Expr) {
	for e != nil {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e, value = x.X, nil
		case *ast.IndexExpr:
			e, value = x.X, nil
		case *ast.SelectorExpr:
			if o, ok := f.source.info.Uses[x.Sel].(*types.Var); ok {
				p.variableIs(f, o, value, x.Pos())
			}
			e, value = x.X, nil
		case *ast.Ident:
			if o, ok := f.source.info.Uses[x].(*types.Var); ok {
				p.variableIs(f, o, value, x.Pos())
			}
			return
		default:
			return
		}
	}
}

func (p *program) variableIs(f *function, o *types.Var, value ast.Expr, at token.Pos) {
	switch {
	case o.IsField():
		p.fieldIs(f, o, value, at)
	case global(o):
		k := variable{o.Pkg().Path(), o.Name()}
		p.globals[k] = append(p.globals[k], setter{f, value, at})
	}
}

func (p *program) fieldIs(f *function, o *types.Var, value ast.Expr, at token.Pos) {
	if k, ok := fieldKey(o); ok {
		p.fields[k] = append(p.fields[k], setter{f, value, at})
	}
}

func fieldKey(o *types.Var) (variable, bool) {
	if o.Pkg() == nil {
		return variable{}, false
	}
	return variable{o.Pkg().Path(), o.Name()}, true
}

// next returns the full names of the functions that a function may call.
func (p *program) next(f *function) (list []string) {
	list = slices.Clone(f.uses)
	for _, name := range f.calls {
		for _, m := range p.methods[name] {
			list = append(list, m.name)
		}
	}
	return list
}

// reach marks the functions with the full names from, and all functions that they may call, as reachable. It returns the caller of each of these
// functions, by full names; the caller of those in from is empty. The callers form the shortest chains.
func (p *program) reach(from ...string) map[string]string {
	how := map[string]string{}
	for _, name := range from {
		how[name] = ""
	}
	for queue := from; len(queue) > 0; queue = queue[1:] {
		p.reachable[queue[0]] = true
		f := p.functions[queue[0]]
		if f == nil {
			continue
		}
		for _, name := range p.next(f) {
			if _, ok := how[name]; !ok && p.functions[name] != nil {
				how[name] = queue[0]
				queue = append(queue, name)
			}
		}
	}
	return how
}

// target returns the full name of a target; empty: the program does not contain it.
func (p *program) target(t coverage.Target) string {
	for _, pkg := range []string{t.Package, t.Package + testSuffix} {
		if p.functions[pkg+"."+t.Name] != nil {
			return pkg + "." + t.Name
		}
	}
	return ""
}

// chain returns the calls from a target to the function with a full name, both included. how is the result of reach for the target. If there are
// no such calls, chain returns nil.
func (p *program) chain(how map[string]string, name string) (list []string) {
	for name != "" {
		caller, ok := how[name]
		if !ok {
			return nil
		}
		if f := p.functions[name]; f.object != nil {
			list = append(list, name)
		}
		name = caller
	}
	slices.Reverse(list)
	return list
}

// short returns the form of a full name for messages. It contains the name of the package if this is not pkg.
func short(full, pkg string) string {
	star := ""
	if inner, ok := strings.CutPrefix(full, "(*"); ok {
		star, full = "*", inner
	}
	full = strings.NewReplacer("(", "", ")", "").Replace(full)
	dir, rest := path.Split(full)
	own, name, _ := strings.Cut(rest, ".")
	if p := dir + own; p == pkg || p == pkg+testSuffix || p+testSuffix == pkg {
		return star + name
	}
	return star + rest
}

// functionAt returns the function that contains a position; nil: there is none.
func (p *program) functionAt(s *source, at token.Pos) *function {
	for _, tree := range s.files {
		if at < tree.FileStart || at > tree.FileEnd {
			continue
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Pos() <= at && at < f.End() {
				if o, ok := s.info.Defs[f.Name].(*types.Func); ok {
					return p.functions[o.FullName()]
				}
			}
		}
	}
	return nil
}

// called returns the function that a call calls; nil: it is not a function of the program.
func (p *program) called(s *source, call *ast.CallExpr) *function {
	id := code.CalledIdent(call.Fun)
	if id == nil {
		return nil
	}
	o, ok := s.info.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	if f := p.functions[o.Origin().FullName()]; f != nil && f.object != nil {
		return f
	}
	return nil
}

// declares reports whether the sources of a package are a part of the program.
func (p *program) declares(pkg string) bool {
	return slices.ContainsFunc(p.sources, func(s *source) bool { return s.path == pkg })
}

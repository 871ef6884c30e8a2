package survey

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Arg is a constant that tests pass to a parameter.
type Arg struct {
	Text    string // of a string or of bytes
	Expr    string // Go expression for it; empty: it is bytes
	Refused bool   // the tests expect an error, as far as a table or a name says so
}

// passed follows the arguments of calls in the tests of a package back to constants: through variables, tables, loops over them, and
// parameters of functions of the tests.
type passed struct {
	info    *types.Info
	sources map[types.Object][]source       // what variables and fields are set to
	params  map[types.Object][]*types.Var   // parameters of the functions that tests declare, and of literals in variables
	active  map[types.Object]bool           // objects that are being followed
	calls   []*ast.CallExpr                 // in test files
	refused map[ast.Node]bool               // elements of tables, and functions, that expect an error
	within  map[*ast.CallExpr]*ast.FuncDecl // function of the tests that a call stands in
	fields  map[ast.Expr]*ast.CompositeLit  // element of a table that the value of a field belongs to
}

// source is an expression that a variable is set to.
type source struct {
	expr ast.Expr
	part part
}

// part says which part of the value of an expression a variable has.
type part int

const (
	whole part = iota
	keys
	elements
)

// readPassed adds to the functions of a package the constants that the tests in from pass to each of their parameters.
func readPassed(p *Package, from *packages.Package) {
	w := &passed{
		info: from.TypesInfo, sources: map[types.Object][]source{}, params: map[types.Object][]*types.Var{}, active: map[types.Object]bool{},
		refused: map[ast.Node]bool{}, within: map[*ast.CallExpr]*ast.FuncDecl{}, fields: map[ast.Expr]*ast.CompositeLit{},
	}
	for _, file := range from.Syntax {
		if isTest(from.Fset, file) {
			w.file(file)
		}
	}
	w.arguments()
	byKey := map[string]*Func{}
	for _, f := range slices.Concat(p.Funcs, p.Inner) {
		byKey[f.Key] = f
	}
	for _, call := range w.calls {
		key, args := w.called(p.Path, call)
		f := byKey[key]
		if f == nil {
			continue
		}
		f.Uses++
		for i, arg := range args {
			for _, a := range w.constants(arg, whole) {
				a.Refused = a.Refused || (w.within[call] != nil && w.refused[w.within[call]])
				f.pass(i, a)
			}
		}
	}
}

// pass notes that tests pass a constant to a parameter.
func (f *Func) pass(i int, a Arg) {
	for len(f.Args) <= i {
		f.Args = append(f.Args, nil)
	}
	if len(a.Text) <= maxText && !slices.ContainsFunc(f.Args[i], func(old Arg) bool { return old.Text == a.Text && old.Expr == a.Expr }) {
		f.Args[i] = append(f.Args[i], a)
	}
}

// failing matches names of tests, tables and fields of things that are refused.
var failing = regexp.MustCompile(`(?i)invalid|error|err$|^err|bad|fail|malformed|illegal|reject|refuse|wrong|broken|unknown`)

// file notes what the declarations and statements of a file say.
func (w *passed) file(file *ast.File) {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if ok {
			w.refused[decl] = failing.MatchString(decl.Name.Name)
			w.params[w.info.Defs[decl.Name]] = w.paramsOf(decl.Type)
		}
		w.declaration(d, decl)
	}
}

// declaration notes what a declaration says, which is the function decl or none.
func (w *passed) declaration(d ast.Decl, decl *ast.FuncDecl) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			w.calls, w.within[n] = append(w.calls, n), decl
		case *ast.CompositeLit:
			w.literal(n)
		case *ast.ValueSpec:
			for i, name := range n.Names {
				w.assign(name, n.Values, i)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				w.assign(left, n.Rhs, i)
			}
		case *ast.RangeStmt:
			_, isMap := w.under(n.X).(*types.Map)
			if isMap {
				w.set(n.Key, n.X, keys)
			}
			w.set(n.Value, n.X, elements)
		}
		return true
	})
}

func (w *passed) paramsOf(f *ast.FuncType) (list []*types.Var) {
	for _, field := range f.Params.List {
		for _, name := range field.Names {
			v, _ := w.info.Defs[name].(*types.Var)
			list = append(list, v)
		}
	}
	return list
}

// assign notes that left is set to one of the values. If a function returns them, only the first is of interest: the others say that it
// has failed.
func (w *passed) assign(left ast.Expr, values []ast.Expr, i int) {
	switch {
	case len(values) == 1 && i == 0, i < len(values):
	default:
		return
	}
	if lit, ok := ast.Unparen(values[i]).(*ast.FuncLit); ok {
		if obj := w.object(left); obj != nil {
			w.params[obj] = w.paramsOf(lit.Type)
		}
		return
	}
	w.set(left, values[i], whole)
}

func (w *passed) set(left, value ast.Expr, p part) {
	if obj := w.object(left); obj != nil {
		w.sources[obj] = append(w.sources[obj], source{value, p})
	}
}

// under is the underlying type of an expression, or of what it points to.
func (w *passed) under(x ast.Expr) types.Type {
	t := w.info.TypeOf(x)
	if t == nil {
		return nil
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return t.Underlying()
}

// literal notes the values of the fields of a literal of a struct.
func (w *passed) literal(lit *ast.CompositeLit) {
	s, ok := w.under(lit).(*types.Struct)
	if !ok {
		return
	}
	for i, elt := range lit.Elts {
		var field types.Object
		value := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			field, value = w.object(kv.Key), kv.Value
		} else if i < s.NumFields() {
			field = s.Field(i)
		}
		if field == nil {
			continue
		}
		w.sources[field] = append(w.sources[field], source{value, whole})
		w.fields[value] = lit
		if w.fails(field.Name(), value) {
			w.refused[lit] = true
		}
	}
}

// fails reports whether a field of an element of a table says that an error is expected.
func (w *passed) fails(name string, value ast.Expr) bool {
	tv := w.info.Types[value]
	isTrue := tv.Value != nil && tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value)
	isFalse := tv.Value != nil && tv.Value.Kind() == constant.Bool && !isTrue
	switch name := strings.ToLower(name); {
	case isFalse:
		return slices.Contains([]string{"ok", "valid", "isvalid", "success", "pass", "good"}, name)
	case !failing.MatchString(name):
		return false
	case tv.Value != nil && tv.Value.Kind() == constant.String:
		return constant.StringVal(tv.Value) != ""
	}
	return isTrue || tv.Value == nil && !tv.IsNil()
}

// arguments notes the arguments of the functions that tests declare.
func (w *passed) arguments() {
	for _, call := range w.calls {
		for i, v := range w.params[w.object(call.Fun)] {
			if i < len(call.Args) && v != nil {
				w.sources[v] = append(w.sources[v], source{call.Args[i], whole})
			}
		}
	}
}

// called returns the key of the function of the package under test that is called, and its arguments. json.Unmarshal calls the method
// of the value.
func (w *passed) called(path string, call *ast.CallExpr) (key string, args []ast.Expr) {
	f, ok := w.object(call.Fun).(*types.Func)
	if !ok || f.Pkg() == nil {
		return "", nil
	}
	if f.FullName() == "encoding/json.Unmarshal" && len(call.Args) == 2 {
		if named := namedOf(w.info.TypeOf(call.Args[1])); named != nil {
			return named.Obj().Name() + ".UnmarshalJSON", call.Args[:1]
		}
	}
	if strings.TrimSuffix(f.Pkg().Path(), "_test") != path {
		return "", nil
	}
	return keyOf(f), call.Args
}

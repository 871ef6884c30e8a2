package survey

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// Arg is a constant that tests pass to a parameter.
type Arg struct {
	Text    string // the value of a string or a byte slice
	Expr    string // a Go expression for a value of a basic type; empty for a byte slice
	Refused bool   // a table or a name in the tests says that they expect an error
}

// passed traces the arguments of calls in the tests of a package back to constants: through variables, tables, loops over tables, and the
// parameters of functions that the tests declare.
type passed struct {
	info    *types.Info
	sources map[types.Object][]source       // the values of variables and fields
	params  map[types.Object][]*types.Var   // the parameters of functions that the tests declare, and of function literals in variables
	calls   []*ast.CallExpr                 // all calls in test files
	refused map[ast.Node]bool               // the elements of tables and the functions that expect an error
	within  map[*ast.CallExpr]*ast.FuncDecl // the function that contains a call
	fields  map[ast.Expr]*ast.CompositeLit  // the table element that contains the value of a field

	active map[types.Object]bool // the objects on the path that constants follows
	steps  int                   // how many expressions constants has looked at for one argument
}

// maxSteps limits the time for one argument: the number of paths to constants can grow exponentially with the size of the tests.
const maxSteps = 1 << 14

// source is an expression from which a variable gets its value.
type source struct {
	expr ast.Expr
	part part
}

// part says which part of the value of an expression a variable gets.
type part int

const (
	whole part = iota
	keys
	elements
)

// readPassed notes in the functions of p the constants that the tests in from pass to each of their parameters.
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
			w.steps = 0
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

// failing matches the names of tests, tables and fields that are about errors.
var failing = regexp.MustCompile(`(?i)invalid|error|err$|^err|bad|fail|malformed|illegal|reject|refuse|wrong|broken|unknown`)

// file reads the declarations of a test file.
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

// declaration reads the calls and assignments in d. decl is d if d declares a function, and otherwise nil.
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

// assign notes that left is the variable with index i that values are assigned to. Of the results of a call it notes only the first,
// because the others report errors.
func (w *passed) assign(left ast.Expr, values []ast.Expr, i int) {
	if i >= len(values) {
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

// under returns the underlying type of x, or of the value that x points to; nil: the type is not known.
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

// literal notes the values of the fields in a struct literal, and whether the literal expects an error.
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

// fails reports whether a field of a table element with this name and value says that an error is expected.
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

// arguments notes the arguments of calls of functions that the tests declare as values of the parameters.
func (w *passed) arguments() {
	for _, call := range w.calls {
		for i, v := range w.params[w.object(call.Fun)] {
			if i < len(call.Args) && v != nil {
				w.sources[v] = append(w.sources[v], source{call.Args[i], whole})
			}
		}
	}
}

// called returns the key of the function of package path that a call executes, and the arguments that the function gets. If the call is
// json.Unmarshal, the function is the UnmarshalJSON method of the value. key is empty if there is no such function.
func (w *passed) called(path string, call *ast.CallExpr) (key string, args []ast.Expr) {
	if named := unmarshaledType(w.info, call); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path {
		return named.Obj().Name() + ".UnmarshalJSON", call.Args[:1]
	}
	f := code.Called(w.info, call)
	if f == nil || f.Pkg() == nil || strings.TrimSuffix(f.Pkg().Path(), "_test") != path {
		return "", nil
	}
	return code.LocalName(f), call.Args
}

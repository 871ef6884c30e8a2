package frontier

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// maxSteps is the largest number of variables, parameters and calls between an expression and the code that decides its value.
const maxSteps = 6

// decider finds out whether the program or the target decides the value of an expression, and no input does.
type decider struct {
	*program
	steps int
	busy  map[any]bool // the variables, fields and functions between the expression and the current one
}

// decided reports whether no input decides the value of an expression, and returns the reason; why is empty if the value is a constant.
func (p *program) decided(s *source, e ast.Expr) (why string, ok bool) {
	d := decider{program: p, busy: map[any]bool{}}
	return d.expr(s, e)
}

func (d *decider) expr(s *source, e ast.Expr) (why string, ok bool) {
	if v := s.info.Types[e]; v.Value != nil || v.IsNil() || v.IsType() {
		return "", true
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return "", true
	case *ast.CompositeLit:
		return "", s.isEmpty(e)
	case *ast.ParenExpr:
		return d.expr(s, e.X)
	case *ast.StarExpr:
		return d.expr(s, e.X)
	case *ast.UnaryExpr:
		if e.Op == token.ARROW || e.Op == token.AND {
			return "", false
		}
		return d.expr(s, e.X)
	case *ast.BinaryExpr:
		x, ok := d.expr(s, e.X)
		if !ok {
			return "", false
		}
		y, ok := d.expr(s, e.Y)
		if x == "" {
			x = y
		}
		return x, ok
	case *ast.Ident:
		return d.ident(s, e)
	case *ast.SelectorExpr:
		return d.selector(s, e)
	case *ast.CallExpr:
		return d.call(s, e)
	}
	return "", false
}

// once calls f, unless the decider is already at key, or has followed maxSteps others to come here.
func (d *decider) once(key any, f func() (string, bool)) (string, bool) {
	if d.busy[key] || d.steps == maxSteps {
		return "", false
	}
	d.busy[key] = true
	d.steps++
	why, ok := f()
	d.steps--
	delete(d.busy, key)
	return why, ok
}

func (d *decider) ident(s *source, id *ast.Ident) (string, bool) {
	o, ok := s.object(id).(*types.Var)
	if !ok {
		_, constant := s.object(id).(*types.Const)
		return "", constant
	}
	if global(o) {
		return d.global(s, o)
	}
	f := d.functionAt(s, id.Pos())
	if f == nil || o.IsField() {
		return "", false
	}
	return d.once(o, func() (string, bool) {
		if i := parameter(f, o); i >= 0 {
			return d.parameter(f, o, i)
		}
		return d.local(f, o)
	})
}

// global is expr for a variable of a package. The program decides its value if no function that a target may call sets it.
func (d *decider) global(s *source, o *types.Var) (string, bool) {
	for _, w := range d.globals[variable{o.Pkg().Path(), o.Name()}] {
		if w.in.object != nil && w.in.object.Name() != "init" && d.runs(w) {
			return "", false
		}
	}
	name := o.Name()
	if o.Pkg().Path() != s.path {
		name = o.Pkg().Name() + "." + name
	}
	return name + " is set by the program, not by an input", true
}

// runs reports whether a target may call the function that sets a variable.
func (d *decider) runs(w setter) bool {
	return w.in.object == nil || d.reachable[w.in.name] || w.in.source.reached(w.at)
}

// parameter returns the index of a parameter of a function; -1: the variable is none.
func parameter(f *function, o *types.Var) int {
	if f.object == nil {
		return -1
	}
	params := f.object.Signature().Params()
	for i := range params.Len() {
		if params.At(i) == o {
			return i
		}
	}
	return -1
}

// parameter is expr for a parameter. The program decides its value if it decides the value in all calls that a target may make; if these
// values are constants, they must be equal.
func (d *decider) parameter(f *function, o *types.Var, i int) (string, bool) {
	if d.values[f.name] || f.object.Signature().Recv() != nil && d.values[f.object.Name()] || len(assignments(f, o)) > 0 {
		return "", false
	}
	passed, why, calls := "", "", map[bool]int{} // by whether the value is a constant
	variadic := f.object.Signature().Variadic() && i == f.object.Signature().Params().Len()-1
	for _, c := range d.sites[f.name] {
		if c.in.object != nil && !d.reachable[c.in.name] {
			continue
		}
		text, more := "", ""
		switch {
		case i < len(c.call.Args) && !(variadic && len(c.call.Args) != i+1):
			var ok bool
			if more, ok = d.expr(c.in.source, c.call.Args[i]); !ok {
				return "", false
			}
			why = cmp.Or(more, why)
			text = "passes " + valueText(c.in.source, c.call.Args[i])
		case variadic && len(c.call.Args) == i:
			text = "passes no " + o.Name()
		default:
			return "", false
		}
		if calls[more == ""]++; more == "" && calls[true] > 1 && text != passed {
			return "", false
		}
		if more == "" {
			passed = text
		}
	}
	switch {
	case (calls[true] > 0) == (calls[false] > 0): // there is no call, or the input may choose between them
		return "", false
	case why != "":
		return why, true
	}
	return fmt.Sprintf("each call of %s that the target may reach %s", short(f.name, f.source.path), passed), true
}

// valueText returns true or false for a constant of type bool, and the source of any other expression.
func valueText(s *source, e ast.Expr) string {
	if v := s.value(e); v != nil && v.Kind() == constant.Bool {
		return v.String()
	}
	return s.text(e)
}

// assignment is a place in a function that sets a local variable or takes its address.
type assignment struct {
	value    ast.Expr // of several results, the call; nil: the value is not known
	declares bool     // the place declares the variable
}

// assignments returns the places in a function that set a local variable or take its address.
func assignments(f *function, o types.Object) (list []assignment) {
	info := &f.source.info
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && (info.Uses[id] == o || info.Defs[id] == o)
	}
	ast.Inspect(f.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if !is(e) {
					continue
				}
				var value ast.Expr
				if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
					value = n.Rhs[min(i, len(n.Rhs)-1)]
				}
				list = append(list, assignment{value, info.Defs[e.(*ast.Ident)] == o})
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if info.Defs[id] == o && len(n.Values) > 0 {
					list = append(list, assignment{n.Values[min(i, len(n.Values)-1)], true})
				}
			}
		case *ast.IncDecStmt:
			if is(n.X) {
				list = append(list, assignment{})
			}
		case *ast.RangeStmt:
			if n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value) {
				list = append(list, assignment{})
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) {
				list = append(list, assignment{})
			}
		case *ast.SelectorExpr: // of a method with a pointer as its receiver
			if is(n.X) && changes(f.source, n) {
				list = append(list, assignment{})
			}
		}
		return true
	})
	return list
}

// local is expr for a local variable. The program may decide its value if the function sets it only where it declares it.
func (d *decider) local(f *function, o *types.Var) (string, bool) {
	list := assignments(f, o)
	if len(list) != 1 || !list[0].declares || list[0].value == nil {
		return "", false
	}
	return d.expr(f.source, list[0].value)
}

// selector is expr for a field or a variable of a package. The program decides the value of a field if the functions that a target may call do
// not set it, or set it to values that the program decides. These must not be several constants, because the input may choose one.
func (d *decider) selector(s *source, sel *ast.SelectorExpr) (string, bool) {
	o, ok := s.info.Uses[sel.Sel].(*types.Var)
	if !ok {
		_, constant := s.info.Uses[sel.Sel].(*types.Const)
		return "", constant
	}
	if !o.IsField() {
		return d.global(s, o)
	}
	key, ok := fieldKey(o)
	if !ok || !d.declares(key.pkg) {
		return "", false
	}
	return d.once(key, func() (string, bool) { return d.field(s, sel, d.fields[key]) })
}

func (d *decider) field(s *source, sel *ast.SelectorExpr, setters []setter) (string, bool) {
	why, others := "", []string(nil)
	for _, w := range setters {
		if !d.runs(w) {
			if name := short(w.in.name, s.path); !slices.Contains(others, name) {
				others = append(others, name)
			}
			continue
		}
		if w.value == nil {
			return "", false
		}
		more, ok := d.expr(w.in.source, w.value)
		switch {
		case !ok || more == "" && !zero(w.in.source, w.value):
			return "", false
		case more != "":
			why = more
		}
	}
	text := s.text(sel)
	switch {
	case why != "":
		return why, true
	case len(others) == 0:
		return fmt.Sprintf("no code sets %s to another value", text), true
	case len(others) > 3:
		return fmt.Sprintf("the target does not call the functions that set %s, such as %s", text, others[0]), true
	}
	return fmt.Sprintf("the target does not call %s, and no other code sets %s", strings.Join(others, " or "), text), true
}

// isEmpty reports whether a literal is a slice without elements.
func (s *source) isEmpty(lit *ast.CompositeLit) bool {
	t := s.info.Types[lit].Type
	if t == nil || len(lit.Elts) > 0 {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// zero reports whether an expression is the zero value of its type, or an empty slice.
func zero(s *source, e ast.Expr) bool {
	v := s.info.Types[e]
	if lit, ok := e.(*ast.CompositeLit); ok {
		return s.isEmpty(lit)
	}
	if v.IsNil() {
		return true
	}
	if v.Value == nil {
		return false
	}
	switch v.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v.Value)
	case constant.String:
		return constant.StringVal(v.Value) == ""
	}
	return constant.Sign(v.Value) == 0
}

// call is expr for a conversion, and for a call of len, cap or a function without parameters that only returns an expression.
func (d *decider) call(s *source, call *ast.CallExpr) (string, bool) {
	if id, ok := call.Fun.(*ast.Ident); ok && len(call.Args) == 1 && (id.Name == "len" || id.Name == "cap") || s.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return d.expr(s, call.Args[0])
	}
	f := d.called(s, call)
	if f == nil || f.object.Signature().Params().Len() > 0 {
		return "", false
	}
	body := f.decl.(*ast.FuncDecl).Body
	if body == nil || len(body.List) != 1 {
		return "", false
	}
	ret, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return "", false
	}
	return d.once(f, func() (string, bool) { return d.expr(f.source, ret.Results[0]) })
}

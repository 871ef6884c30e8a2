package frontier

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// independent returns the reason why no input helps to take the side of a row; empty: one may help.
func (r *Row) independent() string {
	if r.branch.kind == kindSelect {
		return "goroutines and time decide which case of a select is taken"
	}
	list, each := r.leaves()
	for i := range list {
		l, s := &list[i], r.source
		if v := s.value(l.expr); each && v != nil && v.Kind() == constant.Bool && constant.BoolVal(v) != l.want {
			return s.text(l.expr) + " is a constant"
		}
		call, ok := l.origin.(*ast.CallExpr)
		if !ok || !each || !l.isError(s) {
			continue
		}
		if f := code.Called(s.info, call); f != nil && f.Pkg() != nil && code.FailsOutside(f.Pkg().Path()) && code.IsOutward(f) {
			return "the error of " + s.text(call.Fun) + " comes from the environment"
		}
	}
	return ""
}

// exhaustive reports whether the cases of a switch list all constants of the type of its tag.
func (r *Row) exhaustive() bool {
	sw, ok := r.branch.owner.(*ast.SwitchStmt)
	if !ok || sw.Tag == nil {
		return false
	}
	named, ok := types.Unalias(r.source.info.TypeOf(sw.Tag)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	cases := map[string]bool{}
	for _, c := range sw.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if v := r.source.value(e); v != nil {
				cases[v.ExactString()] = true
			}
		}
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) && !cases[c.Val().ExactString()] {
			return false
		}
	}
	return len(cases) > 0
}

// If a condition has the same value manyTimes times, in manyInputs inputs, the code before it probably excludes the other value, unless gnaw knows
// that the input decides it. If the values come as near to a limit as possible, nearTimes evaluations are enough.
const (
	manyTimes  = 50
	manyInputs = 10
	nearTimes  = 8
)

// doubt changes the help of a row if the executions or the types say that the code before may exclude the missing side.
func (r *Row) doubt() {
	if r.Help.Kind == Nothing {
		return
	}
	c := r.Compared
	located := c != nil && c.Place != nil
	number := located && !c.text
	if r.source.panics(r.branch.first) {
		if len(r.varying) == 0 && !located && (c == nil || r.Inputs > 1) { // no execution shows that the input decides the condition
			r.guard("the side panics")
			return
		}
		r.Help.Text += "; the side panics"
	}
	switch {
	case r.Help.Kind == Checksum || r.Help.Kind == Type || number || r.Help.Kind == Word && !r.Compared.steady():
	case r.branch.kind == kindDefault && len(r.varying) == 0 && r.exhaustive():
		r.guard("the cases list all constants of the type")
	case r.limit && c != nil && c.near && r.Times >= nearTimes, r.Times >= manyTimes && r.Inputs >= manyInputs:
		r.guard(fmt.Sprintf("%d evaluations take the other side, so the code before may exclude this one", r.Times))
	}
}

func (r *Row) guard(why string) {
	r.Help = Help{Kind: Guard, Text: fmt.Sprintf("perhaps nothing: %s; otherwise %s", why, r.Help.Text)}
}

// panics reports whether a statement is a panic with a text, or calls a function of the package that ends with one. Some programs return errors
// by a panic with a value of another type.
func (s *source) panics(st ast.Stmt) bool {
	e, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	if s.text(call.Fun) == "panic" {
		t := s.info.TypeOf(call.Args[0])
		return t != nil && types.Identical(t.Underlying(), types.Typ[types.String])
	}
	called := code.Called(s.info, call)
	for d := range s.functions() {
		if called != nil && d.Body != nil && s.info.Defs[d.Name] == called {
			n := len(d.Body.List)
			return n > 0 && leaves(d.Body.List[n-1]) && s.panics(d.Body.List[n-1])
		}
	}
	return false
}

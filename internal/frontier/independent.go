package frontier

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// independent returns the reason why no input helps to take the side of a row; empty: one may help.
func (r *Row) independent(facts Facts) string {
	b := &r.branch
	if why := r.setting(); why != "" {
		return why
	}
	switch b.kind {
	case kindSelect:
		return "goroutines and time decide which case of a select is taken"
	case kindDefault:
		if len(r.varying) == 0 && r.exhaustive() {
			return "the cases list all constants of the type"
		}
		return r.tag()
	case kindRange:
		return r.decidedBy(b.cond)
	case kindType:
		return ""
	}
	if b.kind == kindIf || b.kind == kindFor {
		if v := r.source.value(b.cond); v != nil && v.Kind() == constant.Bool {
			return "the condition is a constant"
		}
	}
	if b.kind == kindCase {
		if why := r.tag(); why != "" {
			return why
		}
	}
	list, each := r.leaves()
	if why := r.unmade(list, facts); why != "" {
		return why
	}
	for i := range list {
		l := &list[i]
		why := l.outside(r)
		if each && why != "" && len(list) == 1 || why != "" && each && l.constant(r.source) {
			return why
		}
	}
	return ""
}

// tag returns the reason why no input decides the value that a switch compares; empty: an input may decide it.
func (r *Row) tag() string {
	if sw, ok := r.branch.owner.(*ast.SwitchStmt); ok && sw.Tag != nil && len(r.varying) == 0 {
		return r.decidedBy(sw.Tag)
	}
	return ""
}

// unmade returns the reason why no value is equal to any of the constants that the leaves need; empty: one may be equal.
func (r *Row) unmade(list []leaf, facts Facts) (why string) {
	for i := range list {
		l := &list[i]
		if why = r.program.unmade(r.source, l); why == "" || r.program.others(r.source, l, r.pairsOf(l, facts)) {
			return ""
		}
	}
	return why
}

// constant reports whether a leaf is a constant expression.
func (l *leaf) constant(s *source) bool { return s.value(l.expr) != nil }

// outside returns the reason why no input changes the value of a leaf; empty: one may change it.
func (l *leaf) outside(r *Row) string {
	s := r.source
	if l.constant(s) {
		return s.text(l.expr) + " is a constant"
	}
	if t := s.info.Types[l.x].Type; l.x != nil && l.impossible(t) {
		return fmt.Sprintf("no value of type %s fulfills %s", t, l.needed(s))
	}
	if l.failure(s) != "" {
		call, ok := l.origin.(*ast.CallExpr)
		switch {
		case ok && r.program.external(s, call):
			return "the error of " + s.text(call.Fun) + " comes from the environment"
		case ok && l.op == token.NEQ && !r.program.fails(s, call):
			return s.text(call.Fun) + " returns no errors but those of the environment"
		}
		return ""
	}
	if call, ok := l.origin.(*ast.CallExpr); ok && code.FailsOutside(s.imported(call)) && len(call.Args) == 0 {
		return s.text(call) + " comes from the environment"
	}
	if r.varying[l.expr] {
		return ""
	}
	return r.decidedBy(l.expr)
}

// decidedBy returns the reason why no input decides the value of an expression; empty: an input may decide it.
func (r *Row) decidedBy(e ast.Expr) string {
	why, ok := r.program.decided(r.source, e)
	if ok && why == "" {
		return r.source.text(e) + " always has the same value"
	}
	return why
}

// exhaustive reports whether the cases of a switch list all constants of the type of its tag, and no code computes other values of the type.
func (r *Row) exhaustive() bool {
	sw, ok := r.branch.owner.(*ast.SwitchStmt)
	if !ok || sw.Tag == nil {
		return false
	}
	named, ok := r.source.info.Types[sw.Tag].Type.(*types.Named)
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
	all, scope := 0, named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || c.Type() != types.Type(named) {
			continue
		}
		all++
		if !cases[c.Val().ExactString()] {
			return false
		}
	}
	return all > 0 && !r.program.computes(named, nil)
}

// impossible reports whether no integer of a type fulfills the comparison with a constant, such as one that is greater than the largest one.
func (l *leaf) impossible(t types.Type) bool {
	if t == nil || l.val == nil || l.val.Kind() != constant.Int {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	bits, signed := int(types.SizesFor("gc", "amd64").Sizeof(b)*8), b.Info()&types.IsUnsigned == 0
	one, low := constant.MakeInt64(1), constant.MakeInt64(0)
	if signed {
		bits--
		low = constant.UnaryOp(token.SUB, constant.Shift(one, token.SHL, uint(bits)), 0)
	}
	high := constant.BinaryOp(constant.Shift(one, token.SHL, uint(bits)), token.SUB, one)
	switch l.op {
	case token.GTR:
		return constant.Compare(l.val, token.GEQ, high)
	case token.GEQ, token.EQL:
		return constant.Compare(l.val, token.GTR, high) || l.op == token.EQL && constant.Compare(l.val, token.LSS, low)
	case token.LSS:
		return constant.Compare(l.val, token.LEQ, low)
	case token.LEQ:
		return constant.Compare(l.val, token.LSS, low)
	}
	return false
}

// unmade returns the reason why no value is equal to the constant that a leaf needs: the constant has a named integer type, and no code that a
// target may call uses or computes the constant as a value. It returns an empty string if a value may be equal.
func (p *program) unmade(s *source, l *leaf) string {
	if l.op != token.EQL || l.val == nil || l.val.Kind() != constant.Int {
		return ""
	}
	id := code.CalledIdent(l.y)
	if id == nil {
		return ""
	}
	c, ok := s.info.Uses[id].(*types.Const)
	if !ok || c.Pkg() == nil || !p.declares(c.Pkg().Path()) {
		return ""
	}
	named, ok := c.Type().(*types.Named)
	if !ok || constant.Sign(l.val) == 0 {
		return ""
	}
	for _, f := range p.made.constants[variable{c.Pkg().Path(), c.Name()}] {
		if f.object == nil || p.reachable[f.name] {
			return ""
		}
	}
	if p.computes(named, l.val) {
		return ""
	}
	return fmt.Sprintf("no code that the target may call sets a value to %s", s.text(l.y))
}

// others reports whether a comparison of a leaf with a constant has a value that is no constant of the type, so that more than the code that gnaw
// follows makes values of the type.
func (p *program) others(s *source, l *leaf, list []pair) bool {
	named, ok := s.info.Types[l.y].Type.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	known, scope := map[uint64]bool{0: true}, named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			if n, exact := constant.Int64Val(c.Val()); exact {
				known[uint64(n)] = true
			}
		}
	}
	return slices.ContainsFunc(list, func(p pair) bool { return !known[p.seen.number] && !known[uint64(p.seen.signedNumber())] })
}

// computes reports whether code that a target may call computes values of a named type, or converts values to it, and one of them may be equal to
// the constant v. If v is nil, it stands for any constant.
func (p *program) computes(named *types.Named, v constant.Value) bool {
	return slices.ContainsFunc(p.made.computed[named.String()], func(c computation) bool {
		return (c.in.object == nil || p.reachable[c.in.name]) && holdsConstant(c.from, v)
	})
}

// holdsConstant reports whether a type may have the value of a constant. It is true if one of them is nil, which stands for any.
func holdsConstant(t types.Type, v constant.Value) bool {
	if t == nil || v == nil {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return true
	}
	n, exact := constant.Int64Val(v)
	switch b.Kind() {
	case types.Uint8:
		return exact && n >= 0 && n < 1<<8
	case types.Int8:
		return exact && n >= -1<<7 && n < 1<<7
	}
	return true
}

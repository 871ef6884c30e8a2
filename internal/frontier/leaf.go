package frontier

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// leaf is a part of a condition without && and ||.
type leaf struct {
	expr   ast.Expr
	want   bool           // the value that the missing side needs
	op     token.Token    // the comparison that must hold; ILLEGAL: the leaf is no comparison
	x, y   ast.Expr       // operands of the comparison; if one of them is a constant, it is y
	val    constant.Value // the value of y; nil: y is no constant
	origin ast.Expr       // the expression that the init of the statement, or the statement before, assigns to the variable; nil: not known
	where  ast.Node       // the node whose lines make the comparison
	signed bool           // the operands are signed integers
}

// leaves returns the parts of the condition of a row. If each is true, the side needs all of them; otherwise one is enough.
func (r *Row) leaves() (list []leaf, each bool) {
	b := &r.branch
	switch b.kind {
	case kindIf, kindFor:
		list, each = r.source.split(b.cond, b.want)
	case kindCase:
		sw := b.owner.(*ast.SwitchStmt)
		for _, e := range b.cases {
			if sw.Tag == nil {
				more, all := r.source.split(e, true)
				list, each = append(list, more...), all && len(b.cases) == 1
				continue
			}
			l := r.source.comparison(leaf{expr: e, want: true}, token.EQL, sw.Tag, e)
			l.where = sw.Tag
			list = append(list, l)
		}
	}
	for i := range list {
		l := &list[i]
		if l.where == nil {
			l.where = l.expr
		}
		l.origin = b.originOf(r.source, l)
	}
	return list, each
}

// otherCases returns the leaves of the default of a switch with a tag: the tag is equal to no case. It returns nil for a branch of another kind.
func (b branch) otherCases(s *source) (list []leaf) {
	sw, ok := b.owner.(*ast.SwitchStmt)
	if !ok || sw.Tag == nil || b.kind != kindDefault {
		return nil
	}
	for _, c := range sw.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			l := s.comparison(leaf{expr: e}, token.EQL, sw.Tag, e)
			l.where = sw.Tag
			list = append(list, l)
		}
	}
	return list
}

// split returns the parts of an expression that must have the value want. each is as for leaves.
func (s *source) split(e ast.Expr, want bool) (list []leaf, each bool) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return s.split(x.X, want)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return s.split(x.X, !want)
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND, token.LOR:
			left, _ := s.split(x.X, want)
			right, _ := s.split(x.Y, want)
			return append(left, right...), (x.Op == token.LAND) == want
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return []leaf{s.comparison(leaf{expr: e, want: want}, x.Op, x.X, x.Y)}, true
		}
	}
	return []leaf{{expr: e, want: want}}, true
}

// mirrored has, for each comparison, the one that is equivalent with exchanged operands.
var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ,
}

// negated has, for each comparison, the one that is true if it is false.
var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS,
}

// comparison sets the fields of a leaf that describe its comparison: a constant becomes y, and op the comparison that must hold.
func (s *source) comparison(l leaf, op token.Token, x, y ast.Expr) leaf {
	if s.value(x) != nil && s.value(y) == nil {
		x, y, op = y, x, mirrored[op]
	}
	if !l.want {
		op = negated[op]
	}
	l.op, l.x, l.y, l.val = op, x, y, s.value(y)
	if t := s.info.Types[x].Type; t != nil {
		basic, ok := t.Underlying().(*types.Basic)
		l.signed = ok && basic.Info()&types.IsInteger != 0 && basic.Info()&types.IsUnsigned == 0
	}
	return l
}

// originOf returns the expression that the init of the statement, or the statement before, assigns to the variable of a leaf; nil: there is
// none.
func (b branch) originOf(s *source, l *leaf) ast.Expr {
	e := l.expr
	if l.x != nil {
		e = l.x
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	o := s.info.ObjectOf(id)
	var init ast.Stmt
	switch st := b.stmt.(type) {
	case *ast.IfStmt:
		init = st.Init
	case *ast.CaseClause:
		if sw, ok := b.owner.(*ast.SwitchStmt); ok {
			init = sw.Init
		}
	}
	for _, st := range []ast.Stmt{init, b.before} {
		a, ok := st.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for i, left := range a.Lhs {
			if v, ok := left.(*ast.Ident); ok && o != nil && s.info.ObjectOf(v) == o {
				return a.Rhs[min(i, len(a.Rhs)-1)]
			}
		}
	}
	return nil
}

// lines returns the lines whose comparisons may be those of the row's condition.
func (r *Row) lines() (list []int) {
	add := func(n ast.Node) {
		if n == nil {
			return
		}
		for l := r.source.at(n.Pos()).Line; l <= r.source.at(n.End()).Line; l++ {
			list = append(list, l)
		}
	}
	parts, _ := r.leaves()
	for _, l := range append(parts, r.branch.otherCases(r.source)...) {
		add(l.expr)
		add(l.where)
		if l.origin != nil {
			add(l.origin)
		}
	}
	return list
}

// needed returns the comparison that must hold.
func (l *leaf) needed(s *source) string {
	return fmt.Sprintf("%s %s %s", s.text(l.x), l.op, s.text(l.y))
}

// measures reports whether an expression contains a call of len.
func measures(e ast.Expr) (found bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			id, ok := call.Fun.(*ast.Ident)
			found = found || ok && id.Name == "len"
		}
		return !found
	})
	return found
}

// noCharacter reports whether the side needs a number that no byte or character of the input has, although the compared value is a byte of the
// input, at the place at. Many lexers have such a number for the end of the input.
func (l *leaf) noCharacter(s *source, at *Place) bool {
	if l.val == nil || l.val.Kind() != constant.Int || at == nil || at.Form != "byte" {
		return false
	}
	if b, ok := s.info.Types[l.x].Type.(*types.Basic); ok && b.Kind() == types.Int8 { // a byte of the input may stand for a negative number
		return false
	}
	n, exact := constant.Int64Val(l.val)
	return l.op == token.EQL && (!exact || n < 0 || n > utf8.MaxRune) || l.op == token.LSS && n <= 0 || l.op == token.LEQ && n < 0
}

// isError reports whether the leaf compares an error with nil.
func (l *leaf) isError(s *source) bool {
	return l.op != token.ILLEGAL && s.info.Types[l.y].IsNil() && types.Identical(s.info.TypeOf(l.x), types.Universe.Lookup("error").Type())
}

// failure returns a sentence about the call that must return an error, or none.
func (l *leaf) failure(s *source) string {
	what := "the call before"
	if call, ok := l.origin.(*ast.CallExpr); ok {
		what = s.text(call.Fun)
	}
	if l.op == token.NEQ {
		return "an input with which " + what + " fails"
	}
	return "an input with which " + what + " returns no error"
}

// searches has the functions of packages strings and bytes that look for a text.
var searches = map[string]bool{
	"HasPrefix": true, "HasSuffix": true, "Contains": true, "EqualFold": true, "Equal": true, "CutPrefix": true, "CutSuffix": true, "Cut": true,
}

// sought returns the constant that a call of one of searches looks for; empty: the leaf is no such call.
func (l *leaf) sought(s *source) string {
	call, ok := orExpr(l.origin, l.expr).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return ""
	}
	f := code.Called(s.info, call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "strings" && f.Pkg().Path() != "bytes" || !searches[f.Name()] {
		return ""
	}
	for _, arg := range []ast.Expr{call.Args[1], call.Args[0]} {
		if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 { // []byte("…")
			arg = conv.Args[0]
		}
		if v := s.value(arg); v != nil && v.Kind() == constant.String {
			return constant.StringVal(v)
		}
	}
	return ""
}

func orExpr(e, other ast.Expr) ast.Expr {
	if e != nil {
		return e
	}
	return other
}

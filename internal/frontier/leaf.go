package frontier

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// leaf is a part of a condition without && and ||, and what it must be for the missing side.
type leaf struct {
	expr   ast.Expr
	want   bool
	op     token.Token    // of a comparison; ILLEGAL: it is none
	x, y   ast.Expr       // its operands; a constant is y
	val    constant.Value // of y; nil: it is no constant
	origin ast.Expr       // what the value of a variable comes from, if the statement before or the init sets it; nil: not known
	where  ast.Node       // the lines that compare
	signed bool           // the operands are integers with a sign
}

// leaves returns the parts of the condition of a row. each reports whether all of them are needed; otherwise one is enough.
func (r *Row) leaves() (list []leaf, each bool) {
	b := &r.branch
	switch b.kind {
	case kindIf, kindFor:
		list, each = r.source.split(b.cond, b.want)
	case kindCase:
		sw := b.owner.(*ast.SwitchStmt)
		for _, e := range b.cases {
			if sw.Tag == nil {
				more, _ := r.source.split(e, true)
				list = append(list, more...)
				continue
			}
			l := r.source.comparison(leaf{expr: e, want: true}, token.EQL, sw.Tag, e)
			l.where = sw.Tag
			list = append(list, l)
		}
		each = len(b.cases) == 1 && sw.Tag == nil
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

// split returns the parts of an expression that is to be true or false.
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

// mirrored are comparisons with their operands exchanged.
var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ,
}

// negated are comparisons that are true when the others are false.
var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS,
}

// comparison fills in the operands of a leaf so that a constant is the second one, and op is what must hold.
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

// originOf returns the expression that sets the variable of a leaf, in the init of the statement or in the statement before.
func (b branch) originOf(s *source, l *leaf) ast.Expr {
	e := l.expr
	if l.x != nil {
		e = l.x
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	o := s.object(id)
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
			if v, ok := left.(*ast.Ident); ok && o != nil && s.object(v) == o {
				return a.Rhs[min(i, len(a.Rhs)-1)]
			}
		}
	}
	return nil
}

// lines returns the lines of which comparisons are about the row.
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
	for _, l := range parts {
		add(l.expr)
		add(l.where)
		if l.origin != nil {
			add(l.origin)
		}
	}
	return list
}

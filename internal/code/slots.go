package code

import (
	"go/ast"
	"go/token"
	"go/types"
)

// place returns a name for the variable of a package or the field of a struct that an expression is; empty: it is neither.
func (b *builder) place(e ast.Expr) string {
	id := Ident(e)
	if id == nil {
		return ""
	}
	v, ok := b.pkg.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok || !v.IsField() && !PackageVariable(v) {
		return ""
	}
	return b.placeOf(v)
}

// placeOf names a variable or a field by its position, which all forms of its package and of a generic type share.
func (b *builder) placeOf(v *types.Var) string {
	return b.pkg.Fset.Position(v.Origin().Pos()).String()
}

// slots has the places to which expressions are assigned.
type slots struct {
	*builder
	of map[ast.Expr]string
}

// assign adds the expressions that a statement, a declaration or a literal assigns.
func (s slots) assign(x ast.Node) {
	switch x := x.(type) {
	case *ast.AssignStmt:
		for i, left := range x.Lhs {
			s.put(s.place(left), at(x.Rhs, i, len(x.Lhs)))
		}
	case *ast.ValueSpec:
		for i, left := range x.Names {
			if len(x.Values) > 0 {
				s.put(s.place(left), at(x.Values, i, len(x.Names)))
			}
		}
	case *ast.CompositeLit:
		t := s.pkg.TypesInfo.TypeOf(x)
		if t == nil {
			return
		}
		if p, ok := t.Underlying().(*types.Pointer); ok { // an element of a list of pointers
			t = p.Elem()
		}
		fields, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for i, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				s.put(s.place(kv.Key), kv.Value)
			} else if i < fields.NumFields() {
				s.put(s.placeOf(fields.Field(i)), e)
			}
		}
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			if p := s.place(x.X); p != "" {
				s.graph.open[p] = true
			}
		}
	}
}

// at returns the expression that is assigned to the variable with an index; nil: all of them get the results of one call.
func at(values []ast.Expr, i, n int) ast.Expr {
	if len(values) != n {
		return nil
	}
	return values[i]
}

// put notes that an expression is assigned to a place. The place is open unless the expression names a function.
func (s slots) put(place string, e ast.Expr) {
	if place == "" {
		return
	}
	e = ast.Unparen(e)
	if e != nil {
		if tv, ok := s.pkg.TypesInfo.Types[e]; ok && tv.IsNil() {
			return
		}
		if s.isFunction(e) {
			s.of[e] = place
			return
		}
	}
	s.graph.open[place] = true
}

// isFunction reports whether an expression is a function literal or names a function.
func (b *builder) isFunction(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident, *ast.SelectorExpr:
		_, ok := b.pkg.TypesInfo.Uses[Ident(e)].(*types.Func)
		return ok
	}
	return false
}

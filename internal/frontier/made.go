package frontier

import (
	"go/ast"
	"go/token"
	"go/types"
)

// made has the constants that code uses as values, not only in comparisons, and the computations of values of named types.
type made struct {
	constants map[variable][]*function // the functions that use a constant as a value
	computed  map[string][]computation // by the name of a type
}

// computation is code whose result has a named type: a conversion, an operation, or a loop over numbers.
type computation struct {
	in   *function
	from types.Type // of the value that is converted; nil: it is another computation
}

// note notes the constants that a function uses as values, and its computations.
func (m *made) note(f *function) {
	var parents []ast.Node
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.Ident:
			if c, ok := f.source.info.Uses[n].(*types.Const); ok && c.Pkg() != nil && !compared(parents, n) {
				key := variable{c.Pkg().Path(), c.Name()}
				m.constants[key] = append(m.constants[key], f)
			}
		case *ast.CallExpr:
			if t := f.source.info.Types[n.Fun]; t.IsType() && len(n.Args) == 1 {
				if arg := f.source.info.Types[n.Args[0]]; arg.Value == nil {
					m.computes(f, t.Type, arg.Type)
				}
			}
		case *ast.BinaryExpr:
			if t := f.source.info.Types[n]; t.Value == nil {
				m.computes(f, t.Type, nil)
			}
		case *ast.IncDecStmt:
			m.computes(f, f.source.info.Types[n.X].Type, nil)
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				m.computes(f, f.source.info.Types[n.Lhs[0]].Type, nil)
			}
		case *ast.RangeStmt:
			m.computes(f, f.source.info.Types[n.X].Type, nil) // of a number
		}
		parents = append(parents, n)
		return true
	})
}

// computes notes that a function computes values of a type, if the type has a name.
func (m *made) computes(f *function, t, from types.Type) {
	if named, ok := t.(*types.Named); ok {
		m.computed[named.String()] = append(m.computed[named.String()], computation{f, from})
	}
}

// compared reports whether a name is an operand of a comparison, an expression of a case, or the key of an element.
func compared(parents []ast.Node, name ast.Expr) bool {
	child := ast.Node(name)
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.SelectorExpr, *ast.ParenExpr:
			child = p
			continue
		case *ast.BinaryExpr:
			return mirrored[p.Op] != token.ILLEGAL
		case *ast.CaseClause:
			for _, e := range p.List {
				if e == child {
					return true
				}
			}
		case *ast.KeyValueExpr:
			return p.Key == child
		}
		return false
	}
	return false
}

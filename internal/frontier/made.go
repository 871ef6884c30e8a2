package frontier

import (
	"go/ast"
	"go/token"
	"go/types"
)

// made finds the constants that code uses as values, and not only compares with others.
type made struct {
	constants map[variable][]*function // the functions that use a constant as a value
	converted map[string][]conversion  // conversions to a named type, by its name
}

// conversion is a conversion to a named type of a value that is no constant.
type conversion struct {
	in   *function
	from types.Type
}

// note notes the constants that a function uses as values, and its conversions.
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
					m.converted[t.Type.String()] = append(m.converted[t.Type.String()], conversion{f, arg.Type})
				}
			}
		}
		parents = append(parents, n)
		return true
	})
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

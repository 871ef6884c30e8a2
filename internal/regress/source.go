package regress

import (
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
)

// copied returns the nodes of the target that are in the test.
func (p *program) copied() []ast.Node {
	nodes := []ast.Node{p.arg}
	for _, v := range p.bound {
		nodes = append(nodes, v.typ, v.value)
	}
	for _, s := range p.before {
		nodes = append(nodes, s)
	}
	return nodes
}

// object returns what a name refers to; nil: not known.
func (p *program) object(id *ast.Ident) types.Object {
	if obj := p.info.Defs[id]; obj != nil {
		return obj
	}
	return p.info.Uses[id]
}

// within reports whether a position is in a node.
func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// text returns the source of a node, with its comments.
func (p *program) text(n ast.Node) string { return p.between(n.Pos(), n.End()) }

func (p *program) between(from, to token.Pos) string {
	return string(p.Source[p.fset.PositionFor(from, false).Offset:p.fset.PositionFor(to, false).Offset])
}

// constraints returns the build constraints of the file.
func (p *program) constraints() (lines []string) {
	for _, group := range p.tree.Comments {
		for _, c := range group.List {
			if c.Pos() < p.tree.Package && constraint.IsGoBuild(c.Text) {
				lines = append(lines, c.Text)
			}
		}
	}
	return lines
}

package regress

import (
	"go/ast"
	"go/parser"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// identifiers calls visit with each name in a node that is resolved in its scope. It leaves out the names of fields and methods behind a
// dot or before a colon.
func identifiers(n ast.Node, visit func(*ast.Ident)) {
	member := map[ast.Expr]bool{}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.SelectorExpr:
			member[m.Sel] = true
		case *ast.CompositeLit:
			for _, x := range m.Elts {
				if pair, ok := x.(*ast.KeyValueExpr); ok {
					member[pair.Key] = true
				}
			}
		case *ast.Ident:
			if !member[m] {
				visit(m)
			}
		}
		return true
	})
}

// undeclared reports whether the copied code has an exported name that no file of the package declares.
func (p *program) undeclared() (yes bool) {
	for _, n := range p.copied() {
		identifiers(n, func(id *ast.Ident) { yes = yes || p.object(id) == nil && id.IsExported() })
	}
	return yes
}

// siblings returns the other files of the package, without the bodies of their functions. It skips files that cannot be read.
func (p *program) siblings() (trees []*ast.File) {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(p.File), "*.go"))
	for _, file := range files {
		text, err := disk.Read(file, disk.MaxSource)
		if err != nil || filepath.Base(file) == filepath.Base(p.File) {
			continue
		}
		tree, _ := parser.ParseFile(p.fset, file, text, parser.SkipObjectResolution) // syntax that gnaw does not know costs only the declaration that has it
		if tree == nil || tree.Name.Name != p.tree.Name.Name {
			continue
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
		}
		trees = append(trees, tree)
	}
	return trees
}

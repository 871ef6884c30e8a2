package regress

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// identifiers calls visit with each name in a node that is looked up where it stands: not with those of fields and methods
// behind a dot or before a colon.
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

// undeclared reports whether some exported name in what is copied is declared neither by this file nor by another one of the package.
func (p *program) undeclared() (yes bool) {
	elsewhere := p.siblings()
	for _, n := range p.copied() {
		identifiers(n, func(id *ast.Ident) {
			yes = yes || p.object(id) == nil && id.IsExported() && !elsewhere[id.Name]
		})
	}
	return yes
}

// siblings returns the names that other files of the package declare. A file that cannot be read declares none.
func (p *program) siblings() map[string]bool {
	names := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(p.File), "*.go"))
	for _, file := range files {
		text, err := disk.Read(file, disk.MaxSource)
		if err != nil {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil || tree.Name.Name != p.tree.Name.Name {
			continue
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[d.Name.Name] = names[d.Name.Name] || d.Recv == nil
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

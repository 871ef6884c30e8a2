package regress

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// taken returns the names that mean something in what is copied, but for those that the function declares for itself.
func (p *program) taken() map[string]bool {
	names := map[string]bool{}
	for _, n := range p.copied() {
		identifiers(n, func(id *ast.Ident) {
			if obj := p.object(id); obj == nil || !within(p.arg, obj.Pos()) {
				names[id.Name] = true
			}
		})
	}
	return names
}

// free returns a name like this one that is not taken.
func free(taken map[string]bool, name string) string {
	for taken[name] {
		name += "_"
	}
	return name
}

// identifiers calls visit with each name in a node that is looked up where it stands: not with those of fields and methods
// behind a dot or before a colon.
func identifiers(n ast.Node, visit func(*ast.Ident)) {
	member := map[ast.Expr]bool{}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.SelectorExpr:
			member[m.Sel] = true
		case *ast.CompositeLit:
			switch m.Type.(type) {
			case *ast.MapType, *ast.ArrayType:
				return true
			}
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

// undeclared returns the exported names in what is copied that neither this file nor another one of the package declares.
func (p *program) undeclared() (names []string) {
	elsewhere := p.siblings()
	for _, n := range p.copied() {
		identifiers(n, func(id *ast.Ident) {
			if p.object(id) == nil && id.IsExported() && !elsewhere[id.Name] {
				names = append(names, id.Name)
			}
		})
	}
	return names
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
					declaredBy(spec, func(id *ast.Ident) { names[id.Name] = true })
				}
			}
		}
	}
	return names
}

// declaredBy calls visit with each name of a type, a constant or a variable that is declared.
func declaredBy(spec ast.Spec, visit func(*ast.Ident)) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		visit(spec.Name)
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			visit(id)
		}
	}
}

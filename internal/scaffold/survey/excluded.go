package survey

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// readExcluded reads the test files that the build constraints leave out. What their targets call has a target, and what they declare is
// taken: with other tags or on another system they are in the package too.
func readExcluded(p *Package, v *variants) {
	names := slices.Clone(v.plain.IgnoredFiles)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := disk.Read(name, disk.MaxSource)
		if err != nil {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil || strings.TrimSuffix(file.Name.Name, "_test") != p.Name {
			continue
		}
		e := excluded{p: p, bodies: map[string]*ast.BlockStmt{}, names: map[string]bool{}}
		e.declare(file)
		for _, target := range e.targets {
			for key := range e.called(target) {
				if p.Called[key] == "" {
					p.Called[key] = target + " of " + filepath.Base(name) + ", which this build leaves out,"
				}
			}
		}
	}
}

// excluded is a test file that is only parsed.
type excluded struct {
	p       *Package
	targets []string                  // names of the fuzz targets that it declares
	bodies  map[string]*ast.BlockStmt // of its functions
	names   map[string]bool           // all identifiers
}

// declare reads the declarations, and adds their names to those that are taken in the package.
func (e *excluded) declare(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			e.names[id.Name] = true
		}
		return true
	})
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil || d.Body == nil {
				continue
			}
			e.bodies[d.Name.Name], e.p.Taken[d.Name.Name] = d.Body, true
			if strings.HasPrefix(d.Name.Name, "Fuzz") {
				e.targets = append(e.targets, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					e.p.Taken[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						e.p.Taken[id.Name] = true
					}
				}
			}
		}
	}
}

// called returns the keys of the functions of the package that a function of the file mentions by their names, directly or through other
// functions of the file. It takes the methods of the types that the file names, and of the results of functions that it names.
func (e *excluded) called(name string) map[string]bool {
	used, seen := map[string]bool{}, map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if e.bodies[name] == nil || seen[name] {
			return
		}
		seen[name] = true
		ast.Inspect(e.bodies[name], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
				visit(id.Name)
			}
			return true
		})
	}
	visit(name)
	keys := map[string]bool{}
	for _, f := range e.p.Funcs {
		recv := f.Obj.Signature().Recv()
		if used[f.Obj.Name()] && (recv == nil || e.knows(code.NamedOf(recv.Type()).Obj().Name())) {
			keys[f.Key] = true
		}
	}
	return keys
}

// knows reports whether the file names a type, or a function that returns a value of it.
func (e *excluded) knows(typ string) bool {
	return e.names[typ] || slices.ContainsFunc(e.p.Funcs, func(f *Func) bool {
		if f.Obj.Signature().Recv() != nil || !e.names[f.Obj.Name()] {
			return false
		}
		for v := range f.Obj.Signature().Results().Variables() {
			if named := code.NamedOf(v.Type()); named != nil && named.Obj().Name() == typ {
				return true
			}
		}
		return false
	})
}

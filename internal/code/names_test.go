package code

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// checked parses and type-checks one file of a package p.
func checked(t *testing.T, text string) (*types.Package, *types.Info, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("example.com/p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, info, file
}

func TestFunctionsHaveNames(t *testing.T) {
	pkg, _, _ := checked(t, `package p

type T struct{}

func (T) Value()    {}
func (*T) Pointer() {}

type G[E any] struct{}

func (G[E]) Generic() {}

type I interface{ Method() }

type S struct{ G[int] }

func F() {}
`)
	method := func(of, name string) *types.Func {
		f, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup(of).Type()), true, pkg, name)
		if f == nil {
			f, _, _ = types.LookupFieldOrMethod(pkg.Scope().Lookup(of).Type(), true, pkg, name)
		}
		return f.(*types.Func)
	}
	failing, _, _ := types.LookupFieldOrMethod(types.Universe.Lookup("error").Type(), true, pkg, "Error")
	for _, tt := range []struct {
		name              string
		f                 *types.Func
		key, local, short string
		ofInterface       bool
	}{
		{"a function", pkg.Scope().Lookup("F").(*types.Func), "example.com/p.F", "F", "p.F", false},
		{"a method of a value", method("T", "Value"), "(example.com/p.T).Value", "T.Value", "p.T.Value", false},
		{"a method of a pointer", method("T", "Pointer"), "(*example.com/p.T).Pointer", "T.Pointer", "p.T.Pointer", false},
		{"a method of an instance", method("S", "Generic"), "(example.com/p.G[E]).Generic", "G.Generic", "p.G.Generic", false},
		{"a method of an interface", method("I", "Method"), "(example.com/p.I).Method", "I.Method", "p.I.Method", true},
		{"a method without a package", failing.(*types.Func), "(error).Error", "error.Error", "error.Error", true},
	} {
		if key, local, short := Key(tt.f), LocalName(tt.f), Name(tt.f); key != tt.key || local != tt.local || short != tt.short || IsOfInterface(tt.f) != tt.ofInterface {
			t.Errorf("%s: %s, %s, %s, of an interface %v; want %s, %s, %s, %v", tt.name, key, local, short, IsOfInterface(tt.f), tt.key, tt.local, tt.short, tt.ofInterface)
		}
	}
}

func TestCallsNameFunctions(t *testing.T) {
	_, info, file := checked(t, `package p

import "strings"

func f()         {}
func g[T any]()  {}

var list []func()

func _() {
	f()
	(f)()
	strings.ToUpper("")
	g[int]()
	list[0]()
	func() {}()
	_ = string("")
}
`)
	var calls []*ast.CallExpr
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			calls = append(calls, c)
		}
		return true
	})
	for i, tt := range []struct{ name, called, ident string }{
		{"a function", "f", "f"},
		{"one in parentheses", "f", "f"},
		{"one of another package", "ToUpper", "ToUpper"},
		{"an instance", "", "g"},
		{"an element", "", "list"},
		{"a literal", "", ""},
		{"a conversion", "", "string"},
	} {
		called, ident := "", ""
		if f := Called(info, calls[i]); f != nil {
			called = f.Name()
		}
		if id := CalledIdent(calls[i].Fun); id != nil {
			ident = id.Name
		}
		if called != tt.called || ident != tt.ident {
			t.Errorf("%s: calls %q by %q, want %q by %q", tt.name, called, ident, tt.called, tt.ident)
		}
	}
}

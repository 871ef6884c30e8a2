package code

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

func TestAFunctionIsReadWhereItsTypeFits(t *testing.T) {
	const text = `package p

type F[T any] struct {
	one   func(T)
	two   func(*int, T) error
	three func(string, T, T) error
	five  func(a, b, c, d T) error
}

type E struct {
	one   func(string)
	two   func(*int, string) error
	other func(*string, string) error
	three func(string, int, bool) error
	third func(int, int, bool) error
	five  func(a, b, c, d int) error
	six   func(a, b, c, d, e int) error
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	field := func(of, name string) shape {
		s := pkg.Scope().Lookup(of).Type().Underlying().(*types.Struct)
		for v := range s.Fields() {
			if v.Name() == name {
				f, _ := shapeOf(v.Type())
				return f
			}
		}
		t.Fatalf("%s has no field %s", of, name)
		return shape{}
	}
	fit := func(written, read shape) bool {
		return slices.ContainsFunc(written.written(), func(slot string) bool { return slices.Contains(read.read(), slot) })
	}
	for _, tt := range []struct {
		name           string
		exact, generic string
		want           bool
	}{
		{"one parameter of any type", "one", "one", true},
		{"another number of parameters", "two", "one", false},
		{"the same type beside any", "two", "two", true},
		{"another type beside any", "other", "two", false},
		{"two of any type behind the same one", "three", "three", true},
		{"two of any type behind another one", "third", "three", false},
		{"many parameters", "five", "five", true},
		{"more parameters", "six", "five", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exact, generic := field("E", tt.exact), field("F", tt.generic)
			if fit(exact, generic) != tt.want || fit(generic, exact) != tt.want {
				t.Errorf("fit = %v, %v; want %v", fit(exact, generic), fit(generic, exact), tt.want)
			}
		})
	}
	if two, other := field("E", "two"), field("E", "other"); !fit(two, two) || fit(two, other) || !fit(field("F", "two"), field("F", "two")) {
		t.Error("functions of equal types do not fit, or those of different types do")
	}
}

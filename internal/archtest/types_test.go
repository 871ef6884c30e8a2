package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A type with more methods or fields than these does more than one thing.
const (
	maxMethods = 30
	maxFields  = 25
)

// largeTypes are the types that may have more, with the reason.
var largeTypes = map[string]string{
	"finding.Record":         "has a field for each key of a finding in files and reports",
	"internal/cli.fuzzFlags": "has a field for each flag",
}

func TestTypesHaveFewMethodsAndFields(t *testing.T) {
	methods, fields := typeSizes(t)
	for name := range largeTypes {
		if methods[name] <= maxMethods && fields[name] <= maxFields {
			t.Errorf("%s has %d methods and %d fields; it needs no reason to have more than others", name, methods[name], fields[name])
		}
	}
	for name, n := range methods {
		if n > maxMethods && largeTypes[name] == "" {
			t.Errorf("%s has %d methods; the limit is %d", name, n, maxMethods)
		}
	}
	for name, n := range fields {
		if n > maxFields && largeTypes[name] == "" {
			t.Errorf("%s has %d fields; the limit is %d", name, n, maxFields)
		}
	}
}

// typeSizes counts the methods and fields of each type of the module, tests left out. Types are named by folder and name. What is
// declared once for each system counts once.
func typeSizes(t *testing.T) (methods, fields map[string]int) {
	t.Helper()
	methods, fields = map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") || isFree(path) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.ToSlash(filepath.Dir(path)) + "."
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if name := receiver(n); name != "" && !seen[folder+name+"."+n.Name.Name] {
					seen[folder+name+"."+n.Name.Name] = true
					methods[folder+name]++
				}
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					fields[folder+n.Name.Name] = max(fields[folder+n.Name.Name], countFields(s))
				}
			}
			return true
		})
	}
	return methods, fields
}

// receiver returns the name of the type that a function is a method of; empty: it is none.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// countFields counts the fields of a struct; what is embedded is one.
func countFields(s *ast.StructType) (n int) {
	for _, f := range s.Fields.List {
		n += max(1, len(f.Names))
	}
	return n
}

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
	"finding.Record":                 "has a field for each key of a finding in files and reports",
	"internal/cli.fuzzFlags":         "has a field for each flag",
	"internal/probe/mutate.Material": "is what each operator takes; operators are functions of a table",
	"internal/probe/mutate.Rand":     "is what each random choice takes",
	"internal/minimize.search":       "is what each step of the minimizer takes; steps are functions of a list",
	"internal/campaign.Campaign":     "has 25 methods; the others are constructors of its parts and what writes it to the history",
	"internal/campaign.target":       "has 29 methods; the others are what the history, -focus and the check in plain go test make of a target",
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
				if name := owner(n); name != "" && !seen[folder+name+"."+n.Name.Name] {
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

// owner returns the name of the type that a function is a method of, or that its first parameter points to: such a function is a method in
// disguise. Empty: neither.
func owner(f *ast.FuncDecl) string {
	if f.Recv != nil {
		return receiver(f)
	}
	if params := f.Type.Params.List; len(params) > 0 {
		if star, ok := params[0].Type.(*ast.StarExpr); ok {
			if id, ok := star.X.(*ast.Ident); ok {
				return id.Name
			}
		}
	}
	return ""
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

// splitNames are the structs that have the package and the function of a target apart, with the reason. Rows of JSON output need none.
var splitNames = map[string]string{
	"internal/session.Spec":      "its package may be a folder",
	"internal/summary.row":       "has texts of a page",
	"internal/summary.missedRow": "has texts of a page",
}

// A target has one name, a fuzz.Name, and one type Target, which says where its source is.
func TestATargetHasOneName(t *testing.T) {
	for path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") || isFree(path) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.ToSlash(filepath.Dir(path))
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if spec.Name.Name == "Target" && folder != "internal/build" {
				t.Errorf("%s declares a type Target beside that of internal/build; name it for what it is", path)
			}
			if s, ok := spec.Type.(*ast.StructType); ok && folder != "internal/fuzz" && splitNames[folder+"."+spec.Name.Name] == "" && splitsName(s) {
				t.Errorf("%s: %s has the package and the function of a target apart; a fuzz.Name has both", path, spec.Name.Name)
			}
			return true
		})
	}
}

// splitsName reports whether a struct has fields without tags for the package and for the function of a target.
func splitsName(s *ast.StructType) bool {
	var pkg, function bool
	for _, f := range s.Fields.List {
		if kind, ok := f.Type.(*ast.Ident); !ok || kind.Name != "string" || f.Tag != nil {
			continue
		}
		for _, name := range f.Names {
			pkg = pkg || name.Name == "Package"
			function = function || name.Name == "Func" || name.Name == "Target"
		}
	}
	return pkg && function
}

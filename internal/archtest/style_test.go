package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Limits of what a reader can hold: lines of a function and of a file, and the cyclomatic complexity of a function, closures included.
const (
	maxFunc       = 60
	maxFile       = 400
	maxCyclomatic = 25
)

// subjects have functions that are hard to read on purpose.
const subjects = "puzzles/targets/"

func TestFunctionsAndFilesStayShort(t *testing.T) {
	for path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > maxFile {
			t.Errorf("%s has %d lines; is it still about one thing?", path, n)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasPrefix(path, subjects) {
				continue
			}
			if n := cyclomatic(f); n > maxCyclomatic {
				t.Errorf("%s: %s has the cyclomatic complexity %d", fset.Position(f.Pos()), f.Name.Name, n)
			}
			if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > maxFunc {
				t.Errorf("%s: %s has %d lines", fset.Position(f.Pos()), f.Name.Name, n)
			}
		}
	}
}

// cyclomatic returns the number of ways through a function that differ by one decision: one more than its branches, loops, cases, and && and ||.
func cyclomatic(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func TestExportedNamesAreDocumented(t *testing.T) {
	for path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s: %s has no comment", fset.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
						t.Errorf("%s: %s has no comment", fset.Position(s.Pos()), s.Name.Name)
					}
				}
			}
		}
	}
}

// exportedReceiver reports whether a reader of the documentation sees the function.
func exportedReceiver(f *ast.FuncDecl) bool { return f.Recv == nil || ast.IsExported(receiver(f)) }

// direct lists the files that read or write files by themselves: what lies in a folder of gnaw's own, what comes from the
// toolchain, from the system or the command line, and what is linked into test binaries. All else goes through
// internal/disk: what comes from a repository may be anything, and nobody must see a part of a file.
var direct = []string{
	"corpus/hold.go",             // opens a directory
	"internal/overlay/edits.go",  // the user's GOROOT
	"internal/bundle/write.go",   // a file that is renamed when it is complete
	"internal/bundle/extract.go", // a folder of one process, as the next five
	"internal/build/builder.go",
	"internal/build/outside.go",
	"internal/build/sources.go",
	"internal/cache/site.go",
	"internal/gocommand/modfile.go",
	"internal/cache/use.go",         // files that are locked
	"internal/overlay/overlay.go",   // a folder that is renamed when it is complete
	"internal/campaign/binaries.go", // a test binary that gnaw has built
	"internal/engine/saver.go",      // opens a directory
	"internal/focus/counters.go",    // a test binary that gnaw has built
	"internal/executor/",            // memory that is shared with the workers
	"internal/group/",               // /proc
}

func TestFilesAreReadAndWrittenByPackageDisk(t *testing.T) {
	calls := []string{"ReadFile", "WriteFile", "Open", "OpenFile", "Create", "CreateTemp"}
	for path := range goFiles(t) {
		isDirect := func(p string) bool { return strings.HasPrefix(path, p) }
		if strings.HasSuffix(path, "_test.go") || isFree(path) || isInjected(filepath.Dir(path)) ||
			strings.HasPrefix(path, "internal/disk/") || slices.ContainsFunc(direct, isDirect) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := f.X.(*ast.Ident)
			opens := ok && pkg.Name == "os" && slices.Contains(calls, f.Sel.Name)
			if parses := ok && pkg.Name == "parser" && f.Sel.Name == "ParseFile" && isNil(call.Args[2]); opens || parses {
				t.Errorf("%s: %s.%s; use internal/disk", fset.Position(call.Pos()), pkg.Name, f.Sel.Name)
			}
			return true
		})
	}
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

package write

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// LinesOfCheck returns the lines of the innermost if statement of a target that contains line, such as "lines 13 to 17". If there is none,
// it returns the name and the lines of the target with its comment.
func LinesOfCheck(src []byte, target string, line int) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return target
	}
	span := func(from, to token.Pos) (first, last int) { return fset.Position(from).Line, fset.Position(to).Line }
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Name.Name != target {
			continue
		}
		from := decl.Pos()
		if decl.Doc != nil {
			from = decl.Doc.Pos()
		}
		first, last := span(from, decl.End())
		text := fmt.Sprintf("%s, lines %d to %d", target, first, last)
		ast.Inspect(decl, func(n ast.Node) bool {
			if check, ok := n.(*ast.IfStmt); ok {
				if first, last := span(check.Pos(), check.End()); first <= line && line <= last {
					text = fmt.Sprintf("lines %d to %d", first, last)
				}
			}
			return true
		})
		return text
	}
	return target
}

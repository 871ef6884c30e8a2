package effect

import (
	"go/ast"
	"strings"
)

// targets returns the names of the fuzz targets that a file declares.
func targets(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

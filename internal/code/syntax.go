package code

import (
	"go/ast"
	"strconv"
	"strings"
)

// Selector writes an expression of names and dots as text, anything else as "".
func Selector(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if x := Selector(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}

// ImportName is the name by which a file refers to an imported package of the standard library.
func ImportName(im *ast.ImportSpec) string {
	if im.Name != nil {
		return im.Name.Name
	}
	path, _ := strconv.Unquote(im.Path.Value) // the parser has checked it
	elems := strings.Split(path, "/")
	last := elems[len(elems)-1]
	if len(elems) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		return elems[len(elems)-2]
	}
	return last
}

// Constraint is the //go:build line of a file, and an empty line.
func Constraint(file *ast.File) string {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:build ") && c.Pos() < file.Package {
				return c.Text + "\n\n"
			}
		}
	}
	return ""
}

package write

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// Update returns the source of a test file with targets added at its end, and the imports that they need. What is there does not change,
// but for its imports.
func Update(file []byte, targets []*plan.Target) ([]byte, error) {
	var body strings.Builder
	for _, t := range targets {
		text, err := Target(t)
		if err != nil {
			return nil, err
		}
		body.WriteString("\n" + text)
	}
	formatted, err := format.Source(file)
	if err != nil {
		return nil, fmt.Errorf("read the file that the targets are added to: %w", err)
	}
	clean := bytes.Equal(formatted, file)
	eol := "\n"
	if bytes.Contains(file, []byte("\r\n")) {
		eol = "\r\n"
	}
	src := string(file)
	if !strings.HasSuffix(src, "\n") {
		src += eol
	}
	src += strings.ReplaceAll(body.String(), "\n", eol)
	for _, path := range Imports(body.String(), targets) {
		if src, err = withImport(src, path, eol); err != nil {
			return nil, fmt.Errorf("add an import to the file: %w", err)
		}
	}
	if !clean {
		return []byte(src), nil
	}
	return format.Source([]byte(src))
}

// withImport returns a source that imports a package by its own name.
func withImport(src, path, eol string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return "", err
	}
	quoted := strconv.Quote(path)
	if slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == quoted && s.Name == nil }) {
		return src, nil
	}
	insert := func(at token.Pos, text string) string {
		i := fset.Position(at).Offset
		return src[:i] + text + src[i:]
	}
	if len(file.Decls) == 0 {
		return insert(file.Name.End(), eol+eol+"import "+quoted), nil
	}
	for _, d := range file.Decls {
		if d := d.(*ast.GenDecl); d.Lparen.IsValid() && len(d.Specs) > 0 {
			at, after := place(d, quoted)
			if after {
				return insert(at, eol+"\t"+quoted), nil
			}
			return insert(at, quoted+eol+"\t"), nil
		}
	}
	only := file.Decls[0].(*ast.GenDecl)
	if len(file.Decls) > 1 || len(only.Specs) != 1 || only.Specs[0].(*ast.ImportSpec).Comment != nil {
		return insert(file.Decls[0].Pos(), "import "+quoted+eol), nil
	}
	spec := only.Specs[0]
	old := src[fset.Position(spec.Pos()).Offset:fset.Position(spec.End()).Offset]
	list := []string{old, quoted}
	slices.Sort(list)
	begin, end := fset.Position(only.Pos()).Offset, fset.Position(only.End()).Offset
	return src[:begin] + "import (" + eol + "\t" + strings.Join(list, eol+"\t") + eol + ")" + src[end:], nil
}

// place returns where in a block an import belongs: behind the last one of the standard library that comes before it, or before the first.
func place(d *ast.GenDecl, quoted string) (at token.Pos, after bool) {
	for _, s := range d.Specs {
		spec := s.(*ast.ImportSpec)
		if spec.Path.Value < quoted && !strings.Contains(spec.Path.Value, ".") {
			at, after = spec.End(), true
			if spec.Comment != nil {
				at = spec.Comment.End()
			}
		}
	}
	if after {
		return at, true
	}
	first := d.Specs[0].(*ast.ImportSpec)
	if first.Doc != nil {
		return first.Doc.Pos(), false
	}
	return first.Pos(), false
}

package write

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// Update returns the source of a test file with targets at its end, and with the imports that they need. The rest of the file stays as it
// is. Update returns an error if the file is not formatted by gofmt, because then the rest would change.
func Update(file []byte, targets []*plan.FuzzFunc) ([]byte, error) {
	if formatted, err := format.Source(file); err != nil {
		return nil, fmt.Errorf("read the file that the targets are added to: %w", err)
	} else if !bytes.Equal(formatted, file) {
		return nil, errors.New("the file that the targets are added to is not formatted; run gofmt -w on it")
	}
	var body bytes.Buffer
	for _, t := range targets {
		text, err := Target(t)
		if err != nil {
			return nil, err
		}
		body.WriteString("\n" + text)
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", append(bytes.Clone(file), body.Bytes()...), parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("read the file that the targets are added to: %w", err)
	}
	for _, path := range Imports(body.String(), targets) {
		astutil.AddImport(fset, parsed, path)
	}
	ast.SortImports(fset, parsed)
	var out bytes.Buffer
	if err := format.Node(&out, fset, parsed); err != nil {
		return nil, fmt.Errorf("format the file that the targets are added to: %w", err)
	}
	return out.Bytes(), nil
}

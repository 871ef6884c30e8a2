// Command sarif validates a file in SARIF 2.1.0 against the JSON schema of the format. It exits with 1 and prints why if the file is not valid.
//
// The schema is a constant of the module go-sarif, which does not export it. Its own function validates what it has read and completed, and not the
// file. So the command reads the constant from the source of the module.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // has the schema
	"github.com/xeipuuv/gojsonschema"
)

func main() {
	if err := validate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// validate returns why a file is not valid.
func validate(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	schema, err := schemaText()
	if err != nil {
		return err
	}
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema), gojsonschema.NewBytesLoader(text))
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range result.Errors() {
		errs = append(errs, errors.New(e.String()))
	}
	return errors.Join(errs...)
}

// schemaText returns the schema.
func schemaText() (string, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		return "", fmt.Errorf("find the module with the schema: %w", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		return "", err
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if lit, ok := g.Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			return strconv.Unquote(lit.Value)
		}
	}
	return "", errors.New("the module does not have the schema")
}

package regress

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// imports returns the import lines that the test needs: those of the copied code, and extra.
func (p *program) imports(extra []string) (lines []string) {
	lines = append(lines, strconv.Quote("testing"))
	for _, path := range extra {
		lines = append(lines, strconv.Quote(path))
	}
	for _, n := range p.copied() {
		ast.Inspect(n, func(m ast.Node) bool {
			id, _ := m.(*ast.Ident)
			name, ok := p.info.Uses[id].(*types.PkgName)
			if !ok {
				return true
			}
			line := strconv.Quote(name.Imported().Path())
			if name.Name() != name.Imported().Name() {
				line = name.Name() + " " + line
			}
			lines = append(lines, line)
			return true
		})
	}
	for _, spec := range p.tree.Imports {
		if spec.Name != nil && spec.Name.Name == "." && p.undeclared() {
			lines = append(lines, ". "+spec.Path.Value)
		}
	}
	slices.SortFunc(lines, func(a, b string) int {
		return cmp.Or(strings.Compare(pathOf(a), pathOf(b)), strings.Compare(a, b))
	})
	return slices.Compact(lines)
}

// writeImports writes the imports in two groups: first those of the standard library, then the others.
func writeImports(b *bytes.Buffer, lines []string) {
	if len(lines) == 1 {
		fmt.Fprintf(b, "import %s\n", lines[0])
		return
	}
	b.WriteString("import (\n")
	var others []string
	for _, line := range lines {
		if first, _, _ := strings.Cut(pathOf(line), "/"); strings.Contains(first, ".") {
			others = append(others, line)
			continue
		}
		fmt.Fprintf(b, "\t%s\n", line)
	}
	if len(others) > 0 {
		fmt.Fprintf(b, "\n\t%s\n", strings.Join(others, "\n\t"))
	}
	b.WriteString(")\n")
}

func pathOf(line string) string { return line[strings.IndexByte(line, '"'):] }

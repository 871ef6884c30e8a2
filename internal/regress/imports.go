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

// imports returns the import lines that the test needs: those of what it copies, and others.
func (p *program) imports(extra []string) (lines []string, err error) {
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
	dot, err := p.dotImport()
	if err != nil {
		return nil, err
	}
	if dot != "" {
		lines = append(lines, ". "+dot)
	}
	slices.SortFunc(lines, func(a, b string) int {
		return cmp.Or(strings.Compare(pathOf(a), pathOf(b)), strings.Compare(a, b))
	})
	return slices.Compact(lines), nil
}

// dotImport returns the quoted path of the dot import that names in what is copied come from; empty: there is none.
func (p *program) dotImport() (path string, err error) {
	var paths []string
	for _, spec := range p.tree.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			paths = append(paths, spec.Path.Value)
		}
	}
	if len(paths) == 0 {
		return "", nil
	}
	names := p.undeclared()
	switch {
	case len(names) == 0:
		return "", nil
	case len(paths) > 1: // what the packages have is not known here, and an import that nothing uses does not compile
		return "", fmt.Errorf("what %s hands to F.Fuzz uses %s, and several imports have a dot for a name; give the package of %[2]s another one",
			p.Target, names[0])
	}
	return paths[0], nil
}

// writeImports writes the imports as people do: those of the standard library first, and apart.
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

package overlay

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// asmHome is the package that injected assembly is put in. The go command runs the assembler in the folder of the
// package, and that of a package that is in an overlay only does not exist.
const asmHome = "internal/fuzz"

// localSymbol is a name in assembly that stands for one of the package.
var localSymbol = regexp.MustCompile(`(^|[\s,($])·(\w+)`)

// addAssembly adds the assembly file name of the package with this import path, under the full names of its symbols.
func (in injection) addAssembly(importPath, name string, text []byte) {
	full := strings.ReplaceAll(importPath, "/", "∕")
	in[asmName(importPath, name)] = localSymbol.ReplaceAll(text, []byte("${1}"+full+"·$2"))
}

// asmName is the path of what goes into asmHome for the file name of a package; the end of the name, which may be a
// build constraint, stays.
func asmName(importPath, name string) string {
	return asmHome + "/" + strings.ReplaceAll(strings.TrimPrefix(importPath, asmHome+"/"), "/", "_") + "_" + name
}

// linkAssembly connects the functions without a body in the Go file name with their assembly in another package: here
// it says that they are found elsewhere, and there it declares them, so that the compiler makes the calls fit.
func (in injection) linkAssembly(importPath, name string, s *source) error {
	var here, there strings.Builder
	for _, d := range s.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body != nil || fn.Recv != nil {
			continue
		}
		for _, id := range all(fn.Type, func(id *ast.Ident) bool { return ast.IsExported(id.Name) }) {
			return fmt.Errorf("function %s is in assembly and names %s; use predeclared types only", fn.Name.Name, id.Name)
		}
		fmt.Fprintf(&here, "\n//go:linkname %s\n", fn.Name.Name)
		local := "gnaw_" + strings.TrimSuffix(name, ".go") + "_" + fn.Name.Name
		fmt.Fprintf(&there, "\n//go:linkname %s %s.%s\nfunc %s%s\n", local, importPath, fn.Name.Name, local,
			s.text[s.offset(fn.Name.End()):s.offset(fn.Type.End())])
	}
	if here.Len() == 0 {
		return nil
	}
	s.insert(s.file.Name.End(), `; import _ "unsafe"`)
	s.insert(s.file.FileEnd, here.String())
	in[asmName(importPath, name)] = []byte(code.Constraint(s.file) + "package fuzz\n\nimport _ \"unsafe\"\n" + there.String())
	return nil
}

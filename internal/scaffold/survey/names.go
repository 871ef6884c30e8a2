package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// keyOf is the key of a function: its name, behind that of its receiver's type.
func keyOf(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil {
		if named := namedOf(recv.Type()); named != nil {
			return named.Obj().Name() + "." + f.Name()
		}
	}
	return f.Name()
}

// namedOf is the named type that t is or points to; nil: it is none.
func namedOf(t types.Type) *types.Named {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

func isTest(fset *token.FileSet, file *ast.File) bool {
	return strings.HasSuffix(fset.Position(file.FileStart).Filename, "_test.go")
}

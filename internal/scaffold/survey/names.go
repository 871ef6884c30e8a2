package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// isTest reports whether a file is a test file.
func isTest(fset *token.FileSet, file *ast.File) bool {
	return strings.HasSuffix(fset.Position(file.FileStart).Filename, "_test.go")
}

// uses reports whether an identifier in n stands for one of objs.
func uses(info *types.Info, n ast.Node, objs map[types.Object]bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && objs[info.Uses[id]]
		return !found
	})
	return found
}

const jsonUnmarshal = "encoding/json.Unmarshal"

// unmarshaledType returns the named type of the value into which a call of json.Unmarshal decodes; nil: the call is another one, or the
// type has no name. json.Unmarshal calls the UnmarshalJSON method of this type.
func unmarshaledType(info *types.Info, call *ast.CallExpr) *types.Named {
	if f := code.Called(info, call); f == nil || f.FullName() != jsonUnmarshal || len(call.Args) != 2 {
		return nil
	}
	return code.NamedOf(info.TypeOf(call.Args[1]))
}

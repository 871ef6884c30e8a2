package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// keyOf returns the key of a function: its name, or Type.Name if it is a method.
func keyOf(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil {
		if named := NamedOf(recv.Type()); named != nil {
			return named.Obj().Name() + "." + f.Name()
		}
	}
	return f.Name()
}

// NamedOf returns the named type that t is or points to; nil: there is none.
func NamedOf(t types.Type) *types.Named {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

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

// calledFunc returns the function or method that a call names; nil: the call is a conversion, or calls a builtin function or a function
// value.
func calledFunc(info *types.Info, call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	f, _ := info.Uses[id].(*types.Func)
	return f
}

const jsonUnmarshal = "encoding/json.Unmarshal"

// unmarshaledType returns the named type of the value into which a call of json.Unmarshal decodes; nil: the call is another one, or the
// type has no name. json.Unmarshal calls the UnmarshalJSON method of this type.
func unmarshaledType(info *types.Info, call *ast.CallExpr) *types.Named {
	if f := calledFunc(info, call); f == nil || f.FullName() != jsonUnmarshal || len(call.Args) != 2 {
		return nil
	}
	return NamedOf(info.TypeOf(call.Args[1]))
}

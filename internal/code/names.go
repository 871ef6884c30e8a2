package code

import (
	"go/ast"
	"go/types"
)

// Ident returns the identifier at the end of an expression that names something, as in pkg.Name; nil: it names nothing.
func Ident(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// CalledIdent is [Ident] for the function in a call, which may have type arguments; nil: the call is one of a value.
func CalledIdent(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return CalledIdent(e.X)
	case *ast.IndexListExpr:
		return CalledIdent(e.X)
	}
	return Ident(e)
}

// NamedOf returns the named type that t is or points to; nil: there is none.
func NamedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// Receiver returns the named type whose method f is; nil: it is no method, or one of a type without a name.
func Receiver(f *types.Func) *types.Named {
	recv := f.Signature().Recv()
	if recv == nil {
		return nil
	}
	return NamedOf(recv.Type())
}

// IsOfInterface reports whether f is a method of an interface, which has no body.
func IsOfInterface(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// Key identifies a function in all variants of its package and in all instances: its full name, as [types.Func.FullName] writes it.
func Key(f *types.Func) string { return f.Origin().FullName() }

// LocalName returns the name of a function in its package: Name, or Type.Name.
func LocalName(f *types.Func) string {
	if named := Receiver(f); named != nil {
		return named.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}

// Name returns the name of a function for messages: pkg.Name, or pkg.Type.Name.
func Name(f *types.Func) string {
	if f.Pkg() == nil {
		return LocalName(f)
	}
	return f.Pkg().Name() + "." + LocalName(f)
}

// Called returns the function or method that a call names, unless with type arguments; nil: the call is a conversion, or calls a builtin
// function or a function value.
func Called(info *types.Info, call *ast.CallExpr) *types.Func {
	id := Ident(call.Fun)
	if id == nil {
		return nil
	}
	f, _ := info.Uses[id].(*types.Func)
	return f
}

// PackageVariable reports whether a variable is one of a package.
func PackageVariable(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

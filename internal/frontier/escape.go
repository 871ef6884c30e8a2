package frontier

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// escaping returns the types of the arguments of a call that lead to what code that gnaw does not follow may set: arguments for parameters that are
// empty interfaces, because functions such as json.Unmarshal and binary.Read set what these lead to with package reflect. For a conversion from
// unsafe.Pointer it is the type of the result.
func (s *source) escaping(call *ast.CallExpr) (list []types.Type) {
	fun := s.info.Types[call.Fun]
	if fun.IsType() {
		if len(call.Args) == 1 && isUnsafe(s.info.Types[call.Args[0]].Type) {
			list = append(list, fun.Type)
		}
		return list
	}
	sig, ok := fun.Type.(*types.Signature)
	if !ok || s.prints(call) {
		return nil
	}
	for i, arg := range call.Args {
		if t := s.info.Types[arg].Type; t != nil && isAny(parameterType(sig, i)) {
			list = append(list, t)
		}
	}
	return list
}

// prints reports whether a call formats its arguments, which sets nothing.
func (s *source) prints(call *ast.CallExpr) bool {
	switch s.imported(call) {
	case "log":
		return true
	case "fmt":
		return !strings.Contains(s.text(call.Fun), "can")
	}
	return false
}

// parameterType returns the type of the parameter that gets the argument i of a call; nil: there is none.
func parameterType(sig *types.Signature, i int) types.Type {
	last := sig.Params().Len() - 1
	if i < last || i == last && !sig.Variadic() {
		return sig.Params().At(i).Type()
	}
	if last < 0 || !sig.Variadic() {
		return nil
	}
	if list, ok := sig.Params().At(last).Type().(*types.Slice); ok {
		return list.Elem()
	}
	return nil
}

// isAny reports whether a type is an interface without methods.
func isAny(t types.Type) bool {
	if t == nil {
		return false
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

func isUnsafe(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// destinations finds the types of the variables that a value leads to.
type destinations struct {
	follows func(pkg string) bool // the types of a package count
	list    []types.Type          // in the order in which they are found
}

// through adds the types of the variables that a pointer, slice or map of type t leads to.
func (l *destinations) through(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		l.variable(u.Elem())
	case *types.Slice:
		l.variable(u.Elem())
	case *types.Map:
		l.variable(u.Elem())
	}
}

// variable adds the type t of a variable, and those of the variables in it and behind it.
func (l *destinations) variable(t types.Type) {
	if named, ok := t.(*types.Named); slices.Contains(l.list, t) || ok && named.Obj().Pkg() != nil && !l.follows(named.Obj().Pkg().Path()) {
		return
	}
	l.list = append(l.list, t)
	switch u := t.Underlying().(type) {
	case *types.Array:
		l.variable(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			l.variable(f.Type())
		}
	}
	l.through(t)
}

package plan

import (
	"go/types"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// returnsError reports whether the last result of a function is an error.
func returnsError(f *survey.Func) bool {
	res := f.Obj.Signature().Results()
	if res.Len() == 0 {
		return false
	}
	last := res.At(res.Len() - 1).Type()
	return types.Identical(last, types.Universe.Lookup("error").Type()) || res.Len() > 1 && isError(last)
}

// isError reports whether t is error, or a pointer or interface type that implements it.
func isError(t types.Type) bool {
	if !nilable(t) {
		return false
	}
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// isPlain reports whether a method has no parameters and one result, of the type with that name.
func isPlain(sig *types.Signature, result string) bool {
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.TypeString(sig.Results().At(0).Type(), nil) == result
}

// returnsText reports whether a function returns a string or bytes, with or without an error.
func returnsText(f *survey.Func) bool {
	res := f.Obj.Signature().Results()
	if res.Len() == 0 || res.Len() > 2 || res.Len() == 2 && !returnsError(f) {
		return false
	}
	kind := inputKind(res.At(0).Type())
	return kind == text || kind == bytes
}

// resultsOf returns the results of a function that returns a value, or a value and an error.
func resultsOf(sig *types.Signature) []Result {
	if sig.Results().Len() == 2 {
		return []Result{Value, Err}
	}
	return []Result{Value}
}

// sameResult reports whether a target can compare the results of twins: they have the same basic type, which is not a floating-point type,
// or they are a string and bytes. Both types are nil if the twins return no value.
func sameResult(a, b types.Type) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if inputKind(a) == text && inputKind(b) == bytes {
		return true
	}
	basic, ok := a.Underlying().(*types.Basic)
	return ok && types.Identical(a, b) && basic.Info()&types.IsFloat == 0
}

// isList reports whether a type is, or has a field that is, a slice or map. The Set method of such a type may add a value.
func isList(named *types.Named) bool {
	switch t := named.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Struct:
		for f := range t.Fields() {
			switch f.Type().Underlying().(type) {
			case *types.Slice, *types.Map:
				return true
			}
		}
	}
	return false
}

// isBool reports whether a function returns one bool.
func isBool(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool])
}

// hasMethod reports whether a type has a method with that name and these types of parameters and results.
func hasMethod(t types.Type, name string, params, results []string) bool {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := m.(*types.Func)
	if !ok {
		return false
	}
	return slices.Equal(typesOf(f.Signature().Params()), params) && slices.Equal(typesOf(f.Signature().Results()), results)
}

// typesOf returns the names of the types in a tuple.
func typesOf(tuple *types.Tuple) (list []string) {
	for v := range tuple.Variables() {
		list = append(list, types.TypeString(v.Type(), nil))
	}
	return list
}

// isReader reports whether t implements io.Reader; a nil t does not.
func isReader(t types.Type) bool {
	return t != nil && hasMethod(t, "Read", []string{bytes}, []string{"int", "error"})
}

// inputKind returns the type of input that t is: text, bytes or reader; empty: none of them.
func inputKind(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.String {
			return text
		}
	case *types.Slice:
		if b, ok := types.Unalias(t.Elem()).(*types.Basic); ok && b.Kind() == types.Byte {
			return bytes
		}
	case *types.Named:
		if t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "io" && t.Obj().Name() == "Reader" {
			return reader
		}
	}
	return ""
}

// nilable reports whether t is a pointer or an interface.
func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// namedType returns the named type that t is; nil: t is none.
func namedType(t types.Type) *types.Named {
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// hidden reports whether a value of the type may need a constructor: the type is a map, or a struct with a function, or with an unexported
// field that refers to other values or is a struct. The zero value of a tree without a comparison function, for example, is of no use.
func hidden(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		_, isMap := named.Underlying().(*types.Map)
		return isMap
	}
	for f := range s.Fields() {
		switch f.Type().Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Pointer, *types.Map, *types.Slice, *types.Interface, *types.Chan, *types.Struct:
			if !f.Exported() {
				return true
			}
		}
	}
	return false
}

// typeName returns the name of a type in a file of the package.
func (c *caller) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == c.p.Types {
			return ""
		}
		return p.Name()
	})
}

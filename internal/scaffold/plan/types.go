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

// isError reports whether a type is error, or one that is nil if there is no error.
func isError(t types.Type) bool {
	if !nilable(t) {
		return false
	}
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// isPlain reports whether a method takes nothing and returns one value of the type with that name.
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

// resultsOf is what a function that returnsText returns.
func resultsOf(f *survey.Func) []Result {
	if f.Obj.Signature().Results().Len() == 2 {
		return []Result{Value, Err}
	}
	return []Result{Value}
}

// sameResult reports whether the results of twins can be compared: they are the same and comparable, or a string and bytes.
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

// isList reports whether a type holds several values: to set it may add one.
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

func isBool(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool])
}

// hasMethod reports whether values of a type have a method with that signature, such as "func(p []byte) (n int, err error)".
func hasMethod(t types.Type, name string, params, results []string) bool {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := m.(*types.Func)
	if !ok {
		return false
	}
	return slices.Equal(typesOf(f.Signature().Params()), params) && slices.Equal(typesOf(f.Signature().Results()), results)
}

func typesOf(tuple *types.Tuple) (list []string) {
	for v := range tuple.Variables() {
		list = append(list, types.TypeString(v.Type(), nil))
	}
	return list
}

// isReader reports whether values of a type are io.Readers.
func isReader(t types.Type) bool {
	return t != nil && hasMethod(t, "Read", []string{bytes}, []string{"int", "error"})
}

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

// nilable reports whether a value of the type may be nil.
func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

func receiverNamed(t types.Type) *types.Named {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return namedType(t)
}

func namedType(t types.Type) *types.Named {
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// hidden reports whether a struct has fields that its constructor may have to set: a function, or an unexported field that refers to
// something. Without a comparison function, for example, the zero value of a tree has no use.
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

// typeName is the name of a type as it stands in a file of the package.
func (pl *planner) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == pl.p.Types {
			return ""
		}
		return p.Name()
	})
}

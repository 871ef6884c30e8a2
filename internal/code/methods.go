package code

import "go/types"

// Method identifies methods that may implement each other. Generic types, the forms of a package with and without tests, and packages of two
// calls of [Source.Load] have types of their own, so the types of parameters are not compared.
type Method struct {
	name            string
	params, results int
}

// MethodOf returns the identity of a method.
func MethodOf(f *types.Func) Method {
	s := f.Signature()
	return Method{f.Name(), s.Params().Len(), s.Results().Len()}
}

// MethodsOf returns the methods of a type that is no interface, and of pointers to it. Those of embedded types are among them.
func MethodsOf(t types.Type) map[Method]*types.Func {
	set := map[Method]*types.Func{}
	for s := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if f, ok := s.Obj().(*types.Func); ok {
			set[MethodOf(f)] = f
		}
	}
	return set
}

// Implement reports whether a set of methods has those of an interface.
func Implement(set map[Method]*types.Func, i *types.Interface) bool {
	for m := range i.Methods() {
		if set[MethodOf(m)] == nil {
			return false
		}
	}
	return true
}

// typ is a type with a name.
type typ struct {
	methods map[Method]string // keys of its methods, those of embedded types too
	parts   []*typ            // types of its fields, elements and keys
}

// typeOf returns the named type of a value, or one with the types of its parts; nil: it has no methods and no parts.
func (g *Graph) typeOf(t types.Type) *typ {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return g.named(t)
	case *types.Basic, *types.Signature, *types.TypeParam, *types.Interface, *types.Tuple, nil:
		return nil
	default:
		key := types.TypeString(t, nil)
		if x, ok := g.types[key]; ok {
			return x
		}
		x := &typ{}
		g.types[key] = x
		x.parts = g.parts(t)
		if x.parts == nil {
			g.types[key] = nil
			return nil
		}
		return x
	}
}

// named returns a type with a name; nil: it is an interface.
func (g *Graph) named(t *types.Named) *typ {
	if types.IsInterface(t) {
		return nil
	}
	key := types.TypeString(t, nil)
	if x, ok := g.types[key]; ok {
		return x
	}
	x := &typ{methods: map[Method]string{}}
	g.types[key] = x
	for m, f := range MethodsOf(t) {
		x.methods[m] = Key(f)
	}
	x.parts = g.parts(t.Underlying())
	return x
}

// parts returns the types of the fields, elements and keys of a type.
func (g *Graph) parts(t types.Type) (list []*typ) {
	add := func(t types.Type) {
		if x := g.typeOf(t); x != nil {
			list = append(list, x)
		}
	}
	switch t := t.(type) {
	case *types.Pointer:
		add(t.Elem())
	case *types.Slice:
		add(t.Elem())
	case *types.Array:
		add(t.Elem())
	case *types.Chan:
		add(t.Elem())
	case *types.Map:
		add(t.Key())
		add(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			add(t.Field(i).Type())
		}
	}
	return list
}

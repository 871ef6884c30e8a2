package code

import (
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// shape is the type of a function: the types of its parameters and then of its results, in which hole stands for a type that contains type
// parameters.
type shape struct {
	params int
	types  []string
}

// hole stands for each type.
const hole = "_"

// shapeOf returns the shape of a type; ok is false if it is no function type.
func shapeOf(t types.Type) (f shape, ok bool) {
	if t == nil {
		return f, false
	}
	s, ok := t.Underlying().(*types.Signature)
	if !ok {
		return f, false
	}
	f.params = s.Params().Len()
	for _, list := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range list.Variables() {
			name := types.TypeString(v.Type(), nil)
			if hasTypeParam(v.Type(), 0) {
				name = hole
			}
			f.types = append(f.types, name)
		}
	}
	return f, true
}

func (f shape) String() string { return strconv.Itoa(f.params) + " " + strings.Join(f.types, " ") }

// isGeneric reports whether the type of the function contains type parameters.
func (f shape) isGeneric() bool { return slices.Contains(f.types, hole) }

// Slots of functions whose types contain type parameters. Such a type fits others that are equal where it has no hole.
const (
	fitsHoles = "holes "   // functions with exact types, for readers of a type with these holes
	hasHoles  = "generic " // functions of a type with these holes, for readers of exact types
	bothHoles = "numbers " // functions of a type with holes, for readers of such types; only the numbers of parameters and results are compared
)

// written returns the slots that a function with this type is written to when it is used as a value.
func (f shape) written() []string {
	if f.isGeneric() {
		return []string{hasHoles + f.limited().String(), bothHoles + f.numbers()}
	}
	return append(f.withHoles(fitsHoles), f.String())
}

// read returns the slots that a reader of a function value of this type reads.
func (f shape) read() []string {
	if f.isGeneric() {
		return []string{fitsHoles + f.limited().String(), bothHoles + f.numbers()}
	}
	return append(f.withHoles(hasHoles), f.String())
}

// numbers returns the numbers of parameters and results.
func (f shape) numbers() string { return strconv.Itoa(f.params) + " " + strconv.Itoa(len(f.types)) }

// maxHoled is the number of parameters and results up to which the types of a function are compared with those of a function with holes. Of
// more, only the numbers are compared, because there are 2^n ways to put holes into n types.
const maxHoled = 4

// limited returns the shape, or one of holes only if it has too many types.
func (f shape) limited() shape {
	if len(f.types) <= maxHoled {
		return f
	}
	return f.holed(^0)
}

// withHoles returns the shape with holes in all combinations of its types, each behind a prefix.
func (f shape) withHoles(prefix string) (list []string) {
	if len(f.types) > maxHoled {
		return []string{prefix + f.limited().String()}
	}
	for mask := 1; mask < 1<<len(f.types); mask++ {
		list = append(list, prefix+f.holed(mask).String())
	}
	return list
}

// holed returns the shape with holes at the indexes whose bits a mask has.
func (f shape) holed(mask int) shape {
	types := slices.Clone(f.types)
	for i := range types {
		if mask>>i&1 != 0 {
			types[i] = hole
		}
	}
	return shape{f.params, types}
}

// maxDepth limits how deep a type is searched for type parameters. Types refer to themselves only through named types, whose arguments are short.
const maxDepth = 8

// hasTypeParam reports whether a type contains a type parameter.
func hasTypeParam(t types.Type, depth int) bool {
	if depth > maxDepth {
		return true
	}
	some := func(list ...types.Type) bool {
		return slices.ContainsFunc(list, func(t types.Type) bool { return hasTypeParam(t, depth+1) })
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		return some(slices.Collect(t.TypeArgs().Types())...)
	case *types.Pointer:
		return some(t.Elem())
	case *types.Slice:
		return some(t.Elem())
	case *types.Array:
		return some(t.Elem())
	case *types.Chan:
		return some(t.Elem())
	case *types.Map:
		return some(t.Key(), t.Elem())
	case *types.Signature:
		return hasTypeParam(t.Params(), depth+1) || hasTypeParam(t.Results(), depth+1)
	case *types.Tuple:
		for v := range t.Variables() {
			if some(v.Type()) {
				return true
			}
		}
	}
	return false
}

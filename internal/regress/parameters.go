package regress

import (
	"fmt"
	"go/types"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Parameter is a parameter of the function that a target passes to F.Fuzz, behind its *testing.T.
type Parameter struct {
	Name string // empty or "_": it has none
	Kind input.Kind
}

// Parameters returns the parameters of a target, from the content of its test file and from the other files in the folder of it. Nothing is
// built or executed. The error says that the source alone does not tell them, as if another package has the function.
func Parameters(file string, source []byte, target string) ([]Parameter, error) {
	p, err := parse(Options{File: file, Source: source, Target: target})
	if err != nil {
		return nil, err
	}
	if err := p.findCall(); err != nil {
		return nil, err
	}
	unknown := fmt.Errorf("the source does not tell the parameters of %s", target)
	if p.info.TypeOf(p.arg) == nil {
		return nil, unknown
	}
	function, ok := p.info.TypeOf(p.arg).Underlying().(*types.Signature)
	if !ok || function.Params().Len() == 0 || function.Variadic() {
		return nil, unknown
	}
	list := []Parameter{}
	for i := 1; i < function.Params().Len(); i++ {
		param := function.Params().At(i)
		kind := kindOf(param.Type())
		if !kind.Valid() {
			return nil, unknown
		}
		list = append(list, Parameter{param.Name(), kind})
	}
	return list, nil
}

// kindOf returns the kind of a type; [input.Invalid] if a target cannot take it, or if it is not known.
func kindOf(t types.Type) input.Kind {
	for k := input.Bytes; k.Valid(); k++ {
		if types.Identical(t, typesOf[k]) {
			return k
		}
	}
	return input.Invalid
}

// typesOf are the types of all kinds.
var typesOf = func() map[input.Kind]types.Type {
	list := map[input.Kind]types.Type{input.Bytes: types.NewSlice(types.Typ[types.Uint8])}
	for _, basic := range types.Typ {
		for k := input.String; k.Valid(); k++ {
			if basic.Name() == k.String() {
				list[k] = basic
			}
		}
	}
	return list
}()

package plan

import (
	"go/types"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// laws is the rule for functions that compare two strings, and for methods that compare two values of a type that the package can parse.
func laws(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	sig := f.Obj.Signature()
	name := f.Obj.Name()
	if name != "Compare" && name != "Cmp" || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) {
		return nil, ""
	}
	if sig.Recv() == nil {
		if sig.Params().Len() != 2 || inputKind(sig.Params().At(0).Type()) != text || inputKind(sig.Params().At(1).Type()) != text {
			return nil, ""
		}
		return &FuzzFunc{Name: "Fuzz" + name, Kind: Laws, Covers: []string{f.Key}, Params: three(), Input: text, Fn: Callee{Name: name, Expr: name + "($, #)", Results: []Result{Value}}}, ""
	}
	named := code.NamedOf(sig.Recv().Type())
	if sig.Params().Len() != 1 || code.NamedOf(sig.Params().At(0).Type()) != named {
		return nil, ""
	}
	p, s := pl.parser(named, sig.Params().At(0).Type())
	if p == nil {
		return nil, ""
	}
	arg := "#"
	_, wantsPointer := sig.Params().At(0).Type().(*types.Pointer)
	_, isPointer := s.result.(*types.Pointer)
	switch {
	case wantsPointer && !isPointer:
		arg = "&#"
	case !wantsPointer && isPointer:
		arg = "*#"
	}
	t := &FuzzFunc{
		Name: targetName(f), Kind: Laws, Covers: []string{f.Key}, Params: three(), Input: text, Type: named.Obj().Name(), Nilable: isPointer && p.Code.MayBeNil,
		Fn: Callee{Name: name, Expr: "$." + name + "(" + arg + ")", Results: []Result{Value}}, Inverse: Callee{Name: p.Obj.Name(), Expr: s.expr, Results: s.results},
	}
	for _, op := range []string{"Equal", "LessThan", "Less", "GreaterThan"} {
		m := pl.method(named, op)
		if m != nil && types.Identical(m.Obj.Signature().Params(), sig.Params()) && isBool(m.Obj.Signature()) && m.Avoid == "" {
			t.Extra = append(t.Extra, Op{op, "$." + op + "(" + arg + ")"})
			t.Covers = append(t.Covers, m.Key)
		}
	}
	pl.seedLaws(t, p)
	if len(t.Extra) > 0 { // Equal may compare more than Compare does
		weak := *t
		weak.Extra, t.Weaker = nil, &weak
	}
	return t, ""
}

// parser returns the function of the package that parses values of a type from strings, and its shape; nil: there is none. It prefers
// functions whose result has the type want, and then the one to which tests pass the most texts.
func (pl *planner) parser(named *types.Named, want types.Type) (best *survey.Func, shape *shape) {
	rank := func(f *survey.Func, result types.Type) int {
		n := len(inputs(f))
		if types.Identical(result, want) {
			n += 1 << 20
		}
		return n
	}
	for _, p := range pl.p.Funcs {
		s, _ := pl.shapeOf(p)
		if p.Obj.Signature().Recv() != nil || s == nil || !s.takes() || !s.one() || s.input != text || len(s.params) > 0 || code.NamedOf(s.result) != named || p.Avoid != "" || p.Precondition() != "" {
			continue
		}
		if best == nil || rank(p, s.result) > rank(best, shape.result) {
			best, shape = p, s
		}
	}
	return best, shape
}

// three returns the parameters of a target of laws.
func three() []Param { return []Param{{"a", text}, {"b", text}, {"c", text}} }

package plan

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// read is the rule for constructors that take a reader. Their result is a reader, or a value with a method that reads the next value.
func read(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	if f.Obj.Signature().Recv() != nil || !isRead(f) {
		return nil, ""
	}
	s, reason := pl.shapeOf(f)
	if s == nil || s.input != reader || !s.one() {
		return nil, reason
	}
	t := pl.target(Read, f, s)
	t.Name = "Fuzz" + strings.TrimPrefix(f.Obj.Name(), "New")
	named := pl.local(s.result)
	if named != nil && t.Name == "Fuzz" {
		t.Name += named.Obj().Name()
	}
	if isReader(s.result) {
		t.Var = "r"
		return t, ""
	}
	m := pl.next(named)
	if m == nil {
		return nil, "its result is no io.Reader, and has no method such as Decode"
	}
	if reason := pl.avoid(m); reason != "" {
		return nil, reason
	}
	if name := pl.p.Called[m.Key]; name != "" {
		return nil, name + " calls " + m.Key
	}
	t.Covers = append(t.Covers, m.Key)
	t.Inverse = Callee{Name: m.Obj.Name(), Expr: "$." + m.Obj.Name() + "()", Results: make([]Result, m.Obj.Signature().Results().Len())}
	if m.Obj.Signature().Params().Len() == 1 {
		t.Inverse.Expr, t.Output = "$."+m.Obj.Name()+"(&v)", pl.anyType()
	}
	t.Var = pl.varName(named)
	if t.Var == "v" || t.Var == "i" || slices.ContainsFunc(t.Params, func(p Param) bool { return p.Name == t.Var }) {
		t.Var = "r"
	}
	return t, ""
}

// next returns the method of a type that reads the next value, and fails at the end of the input; nil: there is none.
func (c *caller) next(named *types.Named) *survey.Func {
	if named == nil {
		return nil
	}
	for _, name := range []string{"Decode", "Next", "Read", "Parse"} {
		m := c.method(named, name)
		if m == nil || !returnsError(m) {
			continue
		}
		params := m.Obj.Signature().Params()
		if params.Len() == 0 {
			return m
		}
		if in, ok := params.At(0).Type().Underlying().(*types.Interface); ok && in.Empty() && params.Len() == 1 && !m.Obj.Signature().Variadic() {
			return m
		}
	}
	return nil
}

// stream is the rule for constructors of writers, if the package has the constructor of the reader for what they write.
func stream(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	sig := f.Obj.Signature()
	if sig.Recv() != nil || sig.Params().Len() != 1 || types.TypeString(sig.Params().At(0).Type(), nil) != "io.Writer" || sig.Results().Len() == 0 || sig.Results().Len() > 2 {
		return nil, ""
	}
	key, ok := replaceWord(f.Key, "Writer", "Reader")
	if !ok {
		if key, ok = replaceWord(f.Key, "Encoder", "Decoder"); !ok {
			return nil, ""
		}
	}
	g := pl.p.Func(key)
	w := sig.Results().At(0).Type()
	if g == nil || g.Avoid != "" || g.Precondition() != "" || !hasMethod(w, "Write", []string{bytes}, []string{"int", "error"}) || !hasMethod(w, "Close", nil, []string{"error"}) {
		return nil, ""
	}
	s, reason := pl.shapeOf(g)
	if s == nil || s.input != reader || !s.one() || !isReader(s.result) || len(s.params) > 0 {
		return nil, reason
	}
	return &FuzzFunc{
		Name: "Fuzz" + strings.TrimPrefix(f.Obj.Name(), "New") + strings.TrimPrefix(g.Obj.Name(), "New"), Kind: Stream, Covers: []string{f.Key}, Params: []Param{{"data", bytes}},
		Input: bytes, Fn: Callee{Name: f.Obj.Name(), Expr: f.Obj.Name() + "($)", Results: resultsOf(sig)}, Inverse: Callee{Name: g.Obj.Name(), Expr: s.expr, Results: s.results},
	}, ""
}

// maxMethods is the largest number of methods that a target calls.
const maxMethods = 12

// methods is the rule for constructors without arguments, if the type has at least two methods that take text and change the value.
func methods(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	sig := f.Obj.Signature()
	if sig.Recv() != nil || !strings.HasPrefix(f.Obj.Name(), "New") || sig.Params().Len() > 0 && !(sig.Variadic() && sig.Params().Len() == 1) || sig.Results().Len() != 1 {
		return nil, ""
	}
	named := pl.local(sig.Results().At(0).Type())
	if named == nil {
		return nil, ""
	}
	if _, isInterface := named.Underlying().(*types.Interface); isInterface {
		return nil, ""
	}
	t := &FuzzFunc{
		Name: "Fuzz" + named.Obj().Name(), Kind: Methods, Covers: []string{f.Key}, Params: []Param{{"calls", bytes}, {"s", text}}, Input: bytes,
		Setup: pl.varName(named) + " := " + f.Obj.Name() + "()", Var: pl.varName(named), Type: named.Obj().Name(), Fn: Callee{Name: f.Obj.Name()},
	}
	changes := 0
	for _, m := range pl.p.Funcs {
		recv := m.Obj.Signature().Recv()
		if recv == nil || code.NamedOf(recv.Type()) != named || len(t.Extra) == maxMethods || pl.avoid(m) != "" || pl.covered[m.Key] {
			continue
		}
		args, takes, ok := opArguments(m.Obj)
		if !ok || takes && returnsError(m) {
			continue // such a method gets a target of its own
		}
		if takes && m.Code.Changes {
			changes++
		}
		t.Extra = append(t.Extra, Op{m.Obj.Name(), t.Var + "." + m.Obj.Name() + "(" + args + ")"})
		t.Covers = append(t.Covers, m.Key)
	}
	if changes < 2 || len(t.Extra) < 3 {
		return nil, ""
	}
	t.Seeds = [][]string{{"[]byte{0, 1, 2}", strconv.Quote("a")}}
	return t, ""
}

// opArguments returns the arguments with which a target of methods calls a method, and whether a text is among them. ok is false if a
// parameter is no string or bool, and no byte slice of a Write method: other methods may need a buffer that is large enough.
func opArguments(f *types.Func) (args string, takes, ok bool) {
	var list []string
	sig := f.Signature()
	for i := range sig.Params().Len() {
		if sig.Variadic() && i == sig.Params().Len()-1 {
			break
		}
		switch t := sig.Params().At(i).Type(); {
		case inputKind(t) == text:
			list, takes = append(list, "s"), true
		case inputKind(t) == bytes && firstWord(f.Name()) == "Write":
			list, takes = append(list, "[]byte(s)"), true
		case types.Identical(t, types.Typ[types.Bool]):
			list = append(list, "call >= 128")
		default:
			return "", false, false
		}
	}
	return strings.Join(list, ", "), takes, true
}

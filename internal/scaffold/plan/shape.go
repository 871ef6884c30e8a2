package plan

import (
	"go/types"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// The types of inputs.
const (
	text   = "string"
	bytes  = "[]byte"
	reader = "io.Reader"
)

// shape is how a function is called with one input.
type shape struct {
	input     string // type of the input
	inputName string // of the parameter that is the input
	at        int    // index of its parameter
	expr      string // call with $ for the input
	params    []Param
	values    []string // what extra parameters are in seeds
	lists     []string // statements that declare the values that parameters choose from
	setup     string   // statement that declares the variable
	name      string   // variable whose method is called
	results   []Result
	result    types.Type // of the value, if there is one
	imports   []string
}

// takes reports whether the function says if it takes the input.
func (s *shape) takes() bool {
	return len(s.results) > 0 && s.results[len(s.results)-1] != Value
}

// one reports whether the function returns one value, with or without saying if it takes the input.
func (s *shape) one() bool {
	return len(s.results) == 1 && s.results[0] == Value || len(s.results) == 2 && s.takes()
}

// shapeOf returns how a function is called with one input; nil: it cannot be. A reason says what stands against it.
func (pl *planner) shapeOf(f *survey.Func) (s *shape, reason string) {
	sig := f.Obj.Signature()
	s = &shape{at: -1}
	s.at, s.input = inputOf(sig)
	if s.at < 0 {
		return nil, ""
	}
	if f.Obj.Name() == "Read" && sig.Recv() != nil && s.input == bytes {
		return nil, "" // it writes to the bytes
	}
	if name := sig.Params().At(s.at).Name(); slices.Contains(languages, name) && (!returnsError(f) || formats(sig)) {
		return nil, "it takes a " + name + ", and refuses none"
	}
	if recv := sig.Recv(); recv != nil {
		s.name = pl.varName(receiverNamed(recv.Type()))
	}
	if s.inputName = sig.Params().At(s.at).Name(); !isFree(s.inputName) || s.inputName == s.name || s.inputName == "v" || s.inputName == "r" {
		s.inputName = inputName(s.input)
	}
	var args []string
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if i == s.at {
			args = append(args, "$")
			continue
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			break
		}
		arg, why := pl.extra(f, i, v, s)
		if arg == "" {
			return nil, why
		}
		args = append(args, arg)
	}
	s.expr = f.Obj.Name() + "(" + strings.Join(args, ", ") + ")"
	if recv := sig.Recv(); recv != nil {
		named := receiverNamed(recv.Type())
		setup, why := pl.value(named)
		if setup == "" {
			return nil, why
		}
		s.setup = setup
		s.expr = s.name + "." + s.expr
	}
	if len(s.params) == 0 {
		s.inputName = inputName(s.input)
	}
	pl.results(sig, s)
	return s, ""
}

// inputName is the name of an input that is the only parameter.
func inputName(input string) string {
	if input == text {
		return "s"
	}
	return "data"
}

// besides are names of parameters that are not the input if there is another text.
var besides = []string{"name", "filename", "file", "path", "key", "sep", "prefix", "suffix", "layout", "format", "lang", "locale", "charset", "tag", "delim", "label", "typ", "kind", "id"}

// buffers are names of parameters for bytes that a function writes to.
var buffers = []string{"dst", "dest", "buf", "out", "scratch"}

// sources are names of readers of which nothing is parsed.
var sources = []string{"entropy", "rand", "random", "rng", "seed"}

// inputOf returns the index and the type of the parameter that is the input; a negative index: there is none.
func inputOf(sig *types.Signature) (at int, input string) {
	at = -1
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		kind, name := inputKind(v.Type()), strings.ToLower(v.Name())
		if kind == "" || sig.Variadic() && i == sig.Params().Len()-1 || kind == bytes && slices.Contains(buffers, name) || kind == reader && slices.Contains(sources, name) {
			continue
		}
		if !slices.Contains(besides, name) {
			return i, kind
		}
		if at < 0 {
			at, input = i, kind
		}
	}
	return at, input
}

// languages are names of parameters that must be in a language of their own.
var languages = []string{"format", "layout", "expr", "pattern", "tmpl", "template", "key"}

// inputParam is the parameter that is the input.
func (s *shape) inputParam() Param {
	if s.input == text {
		return Param{s.inputName, text}
	}
	return Param{s.inputName, bytes}
}

// argument is the expression that gives a variable of type have to a function that takes want.
func argument(name, have, want string) string {
	switch {
	case have == want:
		return name
	case want == reader && have == text:
		return "strings.NewReader(" + name + ")"
	case want == reader:
		return "bytes.NewReader(" + name + ")"
	case want == text:
		return "string(" + name + ")"
	}
	return "[]byte(" + name + ")"
}

// results notes what the function returns.
func (pl *planner) results(sig *types.Signature, s *shape) {
	n := sig.Results().Len()
	for i := range n {
		t := sig.Results().At(i).Type()
		switch {
		case i == n-1 && isError(t) && (n > 1 || types.Identical(t, types.Universe.Lookup("error").Type())):
			s.results = append(s.results, Err)
		case i == n-1 && n == 2 && types.Identical(t, types.Typ[types.Bool]):
			s.results = append(s.results, OK)
		default:
			if s.result == nil {
				s.result = t
			}
			s.results = append(s.results, Value)
		}
	}
}

// formats reports whether a function takes operands of any type for what its text says, as fmt.Errorf does. The error that it returns is
// its result.
func formats(sig *types.Signature) bool {
	if !sig.Variadic() {
		return false
	}
	in, ok := elementOf(sig).Underlying().(*types.Interface)
	return ok && in.Empty()
}

// elementOf is the type of what a variadic function takes any number of.
func elementOf(sig *types.Signature) types.Type {
	return sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
}

// takesOptions reports whether a function has n parameters, or n and any number of options.
func takesOptions(sig *types.Signature, n int) bool {
	if !sig.Variadic() {
		return sig.Params().Len() == n
	}
	elem := elementOf(sig)
	_, isInterface := elem.Underlying().(*types.Interface)
	named := namedType(elem)
	isOption := !isInterface || named != nil && slices.ContainsFunc(Words(named.Obj().Name()), func(w string) bool { return strings.HasPrefix(w, "Opt") })
	return sig.Params().Len() == n+1 && isOption
}

// value returns a statement that declares a value of a type of the package on which methods can be called; empty: there is none, for a
// reason. A struct, or a type with hidden state, that has constructors is made by the one that tests call most.
func (pl *planner) value(named *types.Named) (stmt, reason string) {
	name := named.Obj().Name()
	if named.TypeParams().Len() > 0 {
		return "", name + " has type parameters"
	}
	zero := "var " + pl.varName(named) + " " + name
	if _, isStruct := named.Underlying().(*types.Struct); !isStruct && !hidden(named) {
		return zero, ""
	}
	found := false
	var best *survey.Func
	for _, f := range pl.p.Funcs {
		sig := f.Obj.Signature()
		isNew := firstWord(f.Key) == "New"
		found = found || f.Key == "New"+name && !isParser(sig) // it may return an interface
		if sig.Recv() != nil || !isNew && !strings.HasSuffix(f.Key, name) || sig.Results().Len() == 0 || receiverNamed(sig.Results().At(0).Type()) != named || isParser(sig) {
			continue
		}
		found = found || isNew
		if slices.Contains(Words(f.Key), "With") || f.Avoid != "" || sig.Results().Len() != 1 || !takesOptions(sig, 0) {
			continue
		}
		if best == nil || f.Uses > best.Uses {
			best = f
		}
	}
	if best != nil {
		return pl.varName(named) + " := " + best.Obj.Name() + "()", ""
	}
	if found && hidden(named) {
		return "", "the constructor of " + name + " takes arguments"
	}
	return zero, ""
}

// isParser reports whether a constructor makes its value of a text: the value has what the text says, and no other state.
func isParser(sig *types.Signature) bool {
	if !takesOptions(sig, 1) {
		return false
	}
	kind := inputKind(sig.Params().At(0).Type())
	return kind != "" && kind != reader
}

// isLocal reports whether t is, or points to, a type of the package, which it returns.
func (pl *planner) local(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if named := receiverNamed(t); named != nil && named.Obj().Pkg() == pl.p.Types {
		return named
	}
	return nil
}

// method returns the method of a type with that name; nil: it has none of its own.
func (pl *planner) method(named *types.Named, name string) *survey.Func {
	return pl.p.Func(named.Obj().Name() + "." + name)
}

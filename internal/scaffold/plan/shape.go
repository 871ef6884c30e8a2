package plan

import (
	"go/types"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// Types of inputs.
const (
	text   = "string"
	bytes  = "[]byte"
	reader = "io.Reader"
)

// shape describes how a target calls a function with one input.
type shape struct {
	input     string   // type of the input
	inputName string   // name of the input in the target
	at        int      // index of the parameter that is the input
	expr      string   // Go expression of the call with $ for the input
	params    []Param  // parameters of the target in addition to the input
	values    []string // Go expressions for params in seeds
	lists     []string // statements that declare lists from which params choose
	setup     string   // statement that declares name
	name      string   // variable whose method is called
	results   []Result
	result    types.Type // type of the first value; nil: there is none
	imports   []string
}

// takes reports whether the results say if the function accepts the input.
func (s *shape) takes() bool {
	return len(s.results) > 0 && s.results[len(s.results)-1] != Value
}

// one reports whether the function returns one value, or one value and whether it accepts the input.
func (s *shape) one() bool {
	return len(s.results) == 1 && s.results[0] == Value || len(s.results) == 2 && s.takes()
}

// caller finds how a target calls the functions of a package, and with which texts.
type caller struct{ p *survey.Package }

// shapeOf returns how a target calls f with one input. It returns nil if f has no input, or nil and the reason if a target cannot call f.
func (c *caller) shapeOf(f *survey.Func) (s *shape, reason string) {
	sig := f.Obj.Signature()
	s = &shape{at: -1}
	s.at, s.input = inputOf(sig)
	if s.at < 0 {
		return nil, ""
	}
	if f.Obj.Name() == "Read" && sig.Recv() != nil && s.input == bytes {
		return nil, "" // the function writes to the bytes
	}
	if name := sig.Params().At(s.at).Name(); slices.Contains(languages, name) && (!returnsError(f) || formats(sig)) {
		return nil, "it takes a " + name + ", and refuses none"
	}
	if recv := sig.Recv(); recv != nil {
		s.name = c.varName(code.NamedOf(recv.Type()))
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
		arg, why := c.extra(f, i, v, s)
		if arg == "" {
			return nil, why
		}
		args = append(args, arg)
	}
	s.expr = f.Obj.Name() + "(" + strings.Join(args, ", ") + ")"
	if recv := sig.Recv(); recv != nil {
		named := code.NamedOf(recv.Type())
		setup, why := c.value(named, f)
		if setup == "" {
			return nil, why
		}
		s.setup = setup
		s.expr = s.name + "." + s.expr
	}
	if len(s.params) == 0 {
		s.inputName = inputName(s.input)
	}
	c.results(sig, s)
	return s, ""
}

// inputName returns the name of an input that is the only parameter.
func inputName(input string) string {
	if input == text {
		return "s"
	}
	return "data"
}

// besides lists names of parameters that are not the input if there is another text.
var besides = []string{"name", "filename", "file", "path", "key", "sep", "prefix", "suffix", "layout", "format", "lang", "locale", "charset", "tag", "delim", "label", "typ", "kind", "id"}

// buffers lists names of byte slices to which functions write.
var buffers = []string{"dst", "dest", "buf", "out", "scratch"}

// sources lists names of readers whose contents are random.
var sources = []string{"entropy", "rand", "random", "rng", "seed"}

// inputOf returns the index and the type of the parameter that is the input. The index is negative if there is none.
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

// languages lists names of parameters whose texts are in a language of their own. A function may panic if such a text is malformed.
var languages = []string{"format", "layout", "expr", "pattern", "tmpl", "template", "key"}

// inputParam returns the parameter of the target that is the input.
func (s *shape) inputParam() Param {
	if s.input == text {
		return Param{s.inputName, text}
	}
	return Param{s.inputName, bytes}
}

// Convert returns a Go expression that converts a variable from one type of input or output to another.
func Convert(name, have, want string) string {
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

// results sets the results of s.
func (c *caller) results(sig *types.Signature, s *shape) {
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

// formats reports whether a function takes any number of operands of any type, as fmt.Errorf does. The error that such a function returns
// does not say that it refuses its text.
func formats(sig *types.Signature) bool {
	if !sig.Variadic() {
		return false
	}
	in, ok := elementOf(sig).Underlying().(*types.Interface)
	return ok && in.Empty()
}

// elementOf returns the type of the variadic arguments of a function.
func elementOf(sig *types.Signature) types.Type {
	return sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
}

// takesOptions reports whether a function has n parameters, or n and variadic options.
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

// value returns a statement that declares a variable of a type of the package, whose method m the target calls. If there is none, it returns
// the empty string and the reason. If the type is a struct or has hidden state, the statement calls the constructor that tests call most.
func (c *caller) value(named *types.Named, m *survey.Func) (stmt, reason string) {
	name := named.Obj().Name()
	if named.TypeParams().Len() > 0 {
		return "", name + " has type parameters"
	}
	zero := "var " + c.varName(named) + " " + name
	if _, isStruct := named.Underlying().(*types.Struct); !isStruct && !hidden(named) {
		return zero, ""
	}
	made := c.constructorsOf(named, m)
	if made.best != nil && (!made.needsArgs || firstWord(made.best.Key) == "New") { // GetEncoder may return one without the writer that NewEncoder takes
		return c.varName(named) + " := " + made.best.Obj.Name() + "()", ""
	}
	if made.found && hidden(named) && (made.needsFunc || !m.Code.Sets || !slices.Contains(intoEmpty, m.Obj.Name())) {
		return "", "the constructor of " + name + " takes arguments"
	}
	return zero, ""
}

// constructors tells what a package has to make a value of a type.
type constructors struct {
	found     bool
	needsArgs bool         // the one that has the name of the type takes arguments
	needsFunc bool         // one takes a function or an interface
	best      *survey.Func // of those that can be called without arguments, the one that the package uses most; nil: there is none
}

// constructorsOf looks for the constructors of the type of m's receiver.
func (c *caller) constructorsOf(named *types.Named, m *survey.Func) (made constructors) {
	name := named.Obj().Name()
	for _, f := range c.p.Funcs {
		sig := f.Obj.Signature()
		// A method that changes the value sets it, as a constructor that parses a text does.
		if isParser(sig) && m.Code.Changes {
			continue
		}
		if f.Key == "New"+name { // also if its result is an interface
			made.found = true
			made.needsArgs = made.needsArgs || !takesOptions(sig, 0)
		}
		isNew := firstWord(f.Key) == "New"
		if sig.Recv() != nil || !isNew && !strings.HasSuffix(f.Key, name) || sig.Results().Len() == 0 || code.NamedOf(sig.Results().At(0).Type()) != named {
			continue
		}
		made.found = made.found || isNew
		made.needsFunc = made.needsFunc || isNew && takesBehavior(sig)
		usable := f.Avoid == "" && sig.Results().Len() == 1 && takesOptions(sig, 0) && !slices.Contains(Words(f.Key), "With")
		if usable && (made.best == nil || f.Uses > made.best.Uses) {
			made.best = f
		}
	}
	return made
}

// intoEmpty lists methods that the standard library calls on empty values. One of them that only calls other methods of the value may need what
// the constructor has made.
var intoEmpty = []string{"UnmarshalText", "UnmarshalBinary", "UnmarshalJSON", "GobDecode"}

// takesBehavior reports whether a constructor takes a function or an interface, without which its value does not work, such as the order of a
// tree.
func takesBehavior(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Signature, *types.Interface:
			return true
		}
	}
	return false
}

// isParser reports whether a constructor parses a text, so that its value has no state that the methods of an empty value lack.
func isParser(sig *types.Signature) bool {
	if !takesOptions(sig, 1) {
		return false
	}
	kind := inputKind(sig.Params().At(0).Type())
	return kind != "" && kind != reader
}

// local returns the type of the package that t is or points to; nil: there is none, or t is nil.
func (c *caller) local(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if named := code.NamedOf(t); named != nil && named.Obj().Pkg() == c.p.Types {
		return named
	}
	return nil
}

// method returns the method with that name that the package declares for a type; nil: there is none.
func (c *caller) method(named *types.Named, name string) *survey.Func {
	return c.p.Func(named.Obj().Name() + "." + name)
}

package plan

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
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
	input   string // type of the input
	at      int    // index of its parameter
	expr    string // call with $ for the input
	params  []Param
	values  []string // what extra parameters are in seeds
	setup   string   // statement that declares the variable
	name    string   // variable whose method is called
	results []Result
	result  types.Type // of the value, if there is one
	imports []string
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
	if name := sig.Params().At(s.at).Name(); slices.Contains(languages, name) && !returnsError(f) {
		return nil, "it takes a " + name + ", and refuses none"
	}
	if recv := sig.Recv(); recv != nil {
		s.name = varName(receiverNamed(recv.Type()).Obj().Name())
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
	pl.results(sig, s)
	return s, ""
}

// besides are names of parameters that are not the input if there is another text.
var besides = []string{"name", "filename", "file", "path", "key", "sep", "prefix", "suffix", "layout", "format", "lang", "locale", "charset", "tag", "delim", "label", "typ", "kind", "id", "dst", "dest", "buf", "out", "scratch"}

// inputOf returns the index and the type of the parameter that is the input; a negative index: there is none.
func inputOf(sig *types.Signature) (at int, input string) {
	at = -1
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		kind := inputKind(v.Type())
		if kind == "" || sig.Variadic() && i == sig.Params().Len()-1 {
			continue
		}
		if !slices.Contains(besides, strings.ToLower(v.Name())) {
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

// maxExtra is the largest number of parameters of a target beside the input.
const maxExtra = 2

// extra returns the expression for a parameter that is not the input; empty: there is none, for a reason.
func (pl *planner) extra(f *survey.Func, i int, v *types.Var, s *shape) (expr, reason string) {
	if named := namedType(v.Type()); named != nil {
		return pl.named(f, i, named, s)
	}
	if inputKind(v.Type()) == bytes && slices.Contains(besides, strings.ToLower(v.Name())) {
		return "nil", "" // a buffer that is used if it is large enough
	}
	b, ok := types.Unalias(v.Type()).(*types.Basic)
	if !ok {
		if in, ok := v.Type().Underlying().(*types.Interface); ok && in.Empty() {
			return anyValue(f, s)
		}
		return "", "it takes a " + pl.typeName(v.Type())
	}
	switch {
	case b.Info()&(types.IsBoolean|types.IsString) != 0 && len(s.params) < maxExtra:
		name := s.paramName(v.Name(), b.Name())
		s.params = append(s.params, Param{name, b.Name()})
		zero := "false"
		if b.Info()&types.IsString != 0 {
			zero = `""`
		}
		if seen := constants(f, i); len(seen) > 0 {
			zero = seen[0]
		}
		s.values = append(s.values, zero)
		return name, ""
	case b.Info()&types.IsNumeric != 0:
		seen := constants(f, i)
		switch {
		case len(seen) == 0:
			return "", "no test calls it with a constant for " + v.Name()
		case len(seen) == 1 || len(s.params) >= maxExtra:
			return seen[0], ""
		}
		return pl.choice(b.Name(), v.Name(), seen, s), ""
	}
	return "", "it takes a " + b.Name()
}

// fillers are words with which the names of functions begin that store what they read in a value that they are given.
var fillers = []string{"Unmarshal", "Decode", "Scan", "Parse", "Read", "Load"}

// anyValue returns the argument for a parameter of type any: where to store what is read, or nothing.
func anyValue(f *survey.Func, s *shape) (expr, reason string) {
	if !slices.Contains(fillers, firstWord(f.Obj.Name())) || f.Obj.Name() == "Parse" {
		return "nil", ""
	}
	if f.Obj.Signature().Recv() != nil {
		return "", "it takes any value"
	}
	s.setup = "var v any"
	return "&v", ""
}

// named returns the expression for a parameter of a named type: a context, or one of the constants of an enumeration.
func (pl *planner) named(f *survey.Func, i int, named *types.Named, s *shape) (expr, reason string) {
	name := pl.typeName(named)
	switch name {
	case "context.Context":
		return "context.Background()", ""
	case "io.Writer":
		return "io.Discard", ""
	}
	if named.Obj().Pkg() == pl.p.Types {
		if list := pl.p.Consts[named.Obj().Name()]; len(list) > 0 {
			if len(list) == 1 || len(s.params) >= maxExtra {
				return list[0], ""
			}
			return pl.choice(name, strings.ToLower(named.Obj().Name()), list[:min(len(list), 8)], s), ""
		}
	}
	if isEmptyable(named) {
		if pkg := named.Obj().Pkg(); pkg != pl.p.Types {
			s.imports = append(s.imports, pkg.Path())
		}
		return name + "{}", ""
	}
	return "", "it takes a " + name
}

// isEmptyable reports whether the literal of a type without elements is a value that a function can do with: a map or slice, or a struct
// of which no hidden part has to be made.
func isEmptyable(named *types.Named) bool {
	if !named.Obj().Exported() || named.Obj().Pkg() == nil || named.TypeParams().Len() > 0 {
		return false
	}
	switch named.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	case *types.Struct:
		return !hidden(named)
	}
	return false
}

// choice returns an expression that chooses one of the values by a parameter.
func (pl *planner) choice(typ, name string, values []string, s *shape) string {
	param := s.paramName(name, "byte")
	s.params = append(s.params, Param{param, "byte"})
	s.values = append(s.values, "byte(0)")
	return "[]" + typ + "{" + strings.Join(values, ", ") + "}[int(" + param + ")%" + strconv.Itoa(len(values)) + "]"
}

// constants returns the constants that tests give to a parameter, in the order of their use, at most eight.
func constants(f *survey.Func, i int) (list []string) {
	for _, args := range f.Calls {
		if i < len(args) && args[i] != "" && !slices.Contains(list, args[i]) && len(list) < 8 {
			list = append(list, args[i])
		}
	}
	return list
}

// paramName is a name for the next extra parameter: that of the function, if it means nothing else in the target.
func (s *shape) paramName(name, typ string) string {
	taken := name == "_" || strings.Contains("abcfrstvwxyz", name) || name == s.name || name == inputName(s.input) || slices.Contains(locals, name) ||
		token.IsKeyword(name) || types.Universe.Lookup(name) != nil || token.IsExported(name)
	if taken || slices.ContainsFunc(s.params, func(p Param) bool { return p.Name == name }) {
		return typ[:1] + strconv.Itoa(len(s.params)+1)
	}
	return name
}

// inputName is the name of the parameter that is the input.
func inputName(input string) string {
	if input == text {
		return "s"
	}
	return "data"
}

// inputParam is the parameter that is the input.
func inputParam(input string) Param {
	if input == text {
		return Param{"s", text}
	}
	return Param{"data", bytes}
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

// value returns a statement that declares a value of a type of the package, named after it, on which methods can be called; empty: there
// is none, for a reason. A type with hidden state that has a constructor is made by that.
func (pl *planner) value(named *types.Named) (stmt, reason string) {
	name := named.Obj().Name()
	if named.TypeParams().Len() > 0 {
		return "", name + " has type parameters"
	}
	var constructor *types.Func
	found := false
	for _, f := range pl.p.Funcs {
		sig := f.Obj.Signature()
		if sig.Recv() != nil || firstWord(f.Key) != "New" || sig.Results().Len() == 0 || receiverNamed(sig.Results().At(0).Type()) != named || isParser(sig) {
			continue
		}
		found = true
		if slices.Contains(Words(f.Key), "With") {
			continue
		}
		if sig.Params().Len() == 0 && sig.Results().Len() == 1 && f.Avoid == "" || sig.Variadic() && sig.Params().Len() == 1 && sig.Results().Len() == 1 {
			constructor = f.Obj
			break
		}
	}
	switch {
	case constructor != nil:
		return varName(name) + " := " + constructor.Name() + "()", ""
	case found && hidden(named):
		return "", "the constructor of " + name + " takes arguments"
	case !canBeZero(named):
		return "", name + " has no useful zero value"
	}
	return "var " + varName(name) + " " + name, ""
}

// isParser reports whether a constructor makes its value of a text: the value has what the text says, and no other state.
func isParser(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && inputKind(sig.Params().At(0).Type()) != "" && inputKind(sig.Params().At(0).Type()) != reader
}

// canBeZero reports whether methods can be called on the zero value of a type: not of an interface.
func canBeZero(named *types.Named) bool {
	_, isInterface := named.Underlying().(*types.Interface)
	return !isInterface
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

// typeName is the name of a type as it stands in a file of the package.
func (pl *planner) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == pl.p.Types {
			return ""
		}
		return p.Name()
	})
}

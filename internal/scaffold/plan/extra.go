package plan

import (
	"fmt"
	"go/token"
	"go/types"
	goversion "go/version"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// maxExtra is the largest number of parameters of a target in addition to the input.
const maxExtra = 2

// extra returns the argument for parameter i of f, which is not the input, as a Go expression. If there is no such expression, it returns
// the reason. It may add parameters and lists to s.
func (c *caller) extra(f *survey.Func, i int, v *types.Var, s *shape) (expr, reason string) {
	if named := namedType(v.Type()); named != nil {
		return c.named(f, i, named, s)
	}
	if inputKind(v.Type()) == bytes && slices.Contains(buffers, strings.ToLower(v.Name())) {
		return "nil", "" // such a function allocates if the buffer is too small
	}
	b, ok := types.Unalias(v.Type()).(*types.Basic)
	if !ok {
		if in, ok := v.Type().Underlying().(*types.Interface); ok && in.Empty() {
			return c.anyValue(f, s)
		}
		return "", "it takes a " + c.typeName(v.Type())
	}
	switch {
	case b.Info()&(types.IsBoolean|types.IsString) != 0 && len(s.params) < maxExtra:
		short, zero := "flag", "false"
		if b.Info()&types.IsString != 0 {
			short, zero = "arg", `""`
		}
		name := s.paramName(v.Name(), short)
		s.params = append(s.params, Param{name, b.Name()})
		if seen := constants(f, i); len(seen) > 0 {
			zero = seen[0]
		}
		s.values = append(s.values, zero)
		return name, ""
	case b.Info()&types.IsNumeric != 0:
		return c.number(f, i, v, b, s)
	}
	return "", "it takes a " + b.Name()
}

// measures lists names of parameters that are lengths. A function should accept any length that is not negative.
var measures = []string{"w", "width", "limit", "lim", "max", "maxlen", "length", "size", "cols", "columns", "indent", "column"}

// number returns the argument for a numeric parameter: any uint8 if it is a length, and otherwise one of the constants that tests pass.
func (c *caller) number(f *survey.Func, i int, v *types.Var, b *types.Basic, s *shape) (expr, reason string) {
	seen := constants(f, i)
	if b.Info()&types.IsInteger != 0 && slices.Contains(measures, strings.ToLower(v.Name())) && len(s.params) < maxExtra {
		name := s.paramName(v.Name(), "n")
		value := "80"
		if len(seen) > 0 {
			if n, err := strconv.ParseUint(seen[0], 10, 8); err == nil {
				value = strconv.FormatUint(n, 10)
			}
		}
		s.params, s.values = append(s.params, Param{name, "uint8"}), append(s.values, "uint8("+value+")")
		if b.Kind() == types.Uint8 {
			return name, ""
		}
		return b.Name() + "(" + name + ")", ""
	}
	switch {
	case len(seen) == 0:
		return "", "no test calls it with a constant for " + v.Name()
	case len(seen) == 1 || len(s.params) >= maxExtra:
		return seen[0], ""
	}
	return s.choice(b.Name(), v.Name(), seen), ""
}

// fillers lists first words of the names of functions that store what they read in one of their arguments.
var fillers = []string{"Unmarshal", "Decode", "Scan", "Parse", "Read", "Load"}

// anyValue returns the argument for a parameter of type any: a pointer to a variable if the function stores what it reads, and otherwise
// nil.
func (c *caller) anyValue(f *survey.Func, s *shape) (expr, reason string) {
	if !slices.Contains(fillers, firstWord(f.Obj.Name())) || f.Obj.Name() == "Parse" {
		return "nil", ""
	}
	if f.Obj.Signature().Recv() != nil {
		return "", "it takes any value"
	}
	s.setup = "var v " + c.anyType()
	return "&v", ""
}

// anyType returns the name of the empty interface in the language version of the package.
func (c *caller) anyType() string {
	if version := c.p.Types.GoVersion(); version != "" && goversion.Compare(version, "go1.18") < 0 {
		return "interface{}"
	}
	return "any"
}

// named returns the argument for a parameter of a named type: a context, a writer, one of the constants of the type, or an empty literal.
func (c *caller) named(f *survey.Func, i int, named *types.Named, s *shape) (expr, reason string) {
	name := c.typeName(named)
	switch name {
	case "context.Context":
		return "context.Background()", ""
	case "io.Writer":
		return "io.Discard", ""
	}
	if named.Obj().Pkg() == c.p.Types {
		if list := c.p.Consts[named.Obj().Name()]; len(list) > 0 {
			if len(list) == 1 || len(s.params) >= maxExtra {
				return list[0], ""
			}
			return s.choice(name, f.Obj.Signature().Params().At(i).Name(), list[:min(len(list), 8)]), ""
		}
	}
	if isEmptyable(named) {
		if pkg := named.Obj().Pkg(); pkg != c.p.Types {
			if c.p.Taken[pkg.Name()] { // the last element of its path may be another name
				return "", fmt.Sprintf("it takes a %s, and this package declares %s", name, pkg.Name())
			}
			s.imports = append(s.imports, pkg.Path())
		}
		return name + "{}", ""
	}
	return "", "it takes a " + name
}

// isEmptyable reports whether functions can work with an empty literal of the type: it is a map or slice, or a struct that needs no
// constructor.
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

// choice returns an expression that selects one of the values by a new parameter. typ is the type of the values.
func (s *shape) choice(typ, name string, values []string) string {
	param := s.paramName(name, "n")
	words := Words(typ)
	list := strings.TrimSuffix(strings.ToLower(words[len(words)-1]), "s") + "s"
	if typ == strings.ToLower(typ) {
		list = strings.TrimSuffix(param, "s") + "s"
	}
	if len(list) <= 2 || list == param || list == s.name || slices.Contains(locals, list) {
		list = "values"
	}
	one := strings.Join(values, ", ")
	if len(one) > 80 {
		one = "\n" + strings.Join(values, ",\n") + ",\n"
	}
	declare := func() string { return list + " := []" + typ + "{" + one + "}" }
	if slices.ContainsFunc(s.lists, func(stmt string) bool { return strings.HasPrefix(stmt, list+" := ") && stmt != declare() }) {
		list = param + "Values"
	}
	if !slices.Contains(s.lists, declare()) {
		s.lists = append(s.lists, declare())
	}
	s.params, s.values = append(s.params, Param{param, "uint8"}), append(s.values, "uint8(0)")
	return list + "[int(" + param + ")%len(" + list + ")]"
}

// constants returns Go expressions for the first eight constants that tests pass to parameter i.
func constants(f *survey.Func, i int) (list []string) {
	if i >= len(f.Args) {
		return nil
	}
	for _, a := range f.Args[i] {
		if a.Expr != "" && !a.Refused && len(list) < 8 {
			list = append(list, a.Expr)
		}
	}
	return list
}

// paramName returns a name for the next extra parameter: name if the target has no other use for it, and otherwise short, with a number if
// short is taken.
func (s *shape) paramName(name, short string) string {
	isTaken := func(name string) bool {
		return slices.Contains([]string{"_", "f", "r", "t", "v", s.name, s.inputName}, name) || slices.Contains(locals, name) ||
			token.IsKeyword(name) || types.Universe.Lookup(name) != nil || token.IsExported(name) ||
			slices.ContainsFunc(s.params, func(p Param) bool { return p.Name == name })
	}
	if !isTaken(name) {
		return name
	}
	name = short
	for i := 2; isTaken(name); i++ {
		name = short + strconv.Itoa(i)
	}
	return name
}

package plan

import (
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// target returns a target that calls a function as its shape says.
func (pl *planner) target(kind Kind, f *survey.Func, s *shape) *FuzzFunc {
	return &FuzzFunc{
		Name: targetName(f), Kind: kind, Covers: []string{f.Key}, Params: append([]Param{s.inputParam()}, s.params...), Values: s.values, Lists: s.lists, Input: s.input, Setup: s.setup, Var: s.name,
		Fn: Callee{Name: f.Obj.Name(), Expr: s.expr, Results: s.results}, Imports: s.imports,
	}
}

// targetName returns the name of the target of a function, such as FuzzParse or FuzzTypeMethod.
func targetName(f *survey.Func) string { return "Fuzz" + strings.ReplaceAll(f.Key, ".", "") }

// writer returns the method with which a Print or Marshal target writes a value.
func (pl *planner) writer(t *FuzzFunc) *survey.Func {
	if t.Kind == Print {
		return pl.p.Func(t.Type + ".String")
	}
	return pl.p.Func(t.Covers[1])
}

// avoid returns why a function with a suitable signature gets no target; empty: it may get one.
func (pl *planner) avoid(f *survey.Func) string {
	if f.Avoid != "" {
		return f.Avoid
	}
	for i, w := range Words(f.Obj.Name()) {
		if slices.Contains(sideEffect, w) || i == 0 && slices.Contains(sideEffectFirst, w) {
			return "its name says that it does more than compute: " + w
		}
	}
	if word := f.Precondition(); word != "" {
		return "its documentation asks something of the arguments: “" + word + "”"
	}
	return ""
}

// sideEffect lists words in the names of functions that do more than compute.
var sideEffect = []string{
	"File", "Files", "Open", "Exec", "Dial", "Listen", "Serve", "Remove", "Setenv", "Register", "Log", "Dir", "Must", "Fuzz", "Test", "Download", "Fetch", "Connect", "Run",
	"Start", "Println", "Printf", "Global", "Unsafe", "Exit", "Sleep", "Glob", "Env", "Seed",
}

// sideEffectFirst lists first words of the names of such functions.
var sideEffectFirst = []string{"Print", "Debug", "Use", "Init", "Enable", "Disable"}

// isRead reports whether a function is a constructor with an io.Reader as its first parameter. Such a function usually reads nothing itself.
func isRead(f *survey.Func) bool {
	sig := f.Obj.Signature()
	return strings.HasPrefix(f.Obj.Name(), "New") && sig.Results().Len() > 0 && sig.Params().Len() > 0 && inputKind(sig.Params().At(0).Type()) == reader
}

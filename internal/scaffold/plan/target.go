package plan

import (
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// target makes a target that calls a function.
func (pl *planner) target(kind Kind, f *survey.Func, s *shape) *Target {
	t := &Target{
		Name: targetName(f), Kind: kind, Covers: []string{f.Key}, Params: append([]Param{s.inputParam()}, s.params...), Values: s.values, Lists: s.lists, Input: s.input, Setup: s.setup, Var: s.name,
		Fn: Callee{Name: f.Obj.Name(), Expr: s.expr, Results: s.results}, Imports: s.imports,
	}
	return t
}

// targetName is the name of the target of a function: for a method the type comes first.
func targetName(f *survey.Func) string { return "Fuzz" + strings.ReplaceAll(f.Key, ".", "") }

// writer is the method with which a Print or Marshal target writes a value.
func (pl *planner) writer(t *Target) *survey.Func {
	if t.Kind == Print {
		return pl.p.Func(t.Type + ".String")
	}
	return pl.p.Func(t.Covers[1])
}

// avoid says why a function gets no target although it has a signature for one; empty: it may have one.
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

// sideEffect are words of names of functions that do something outside of themselves.
var sideEffect = []string{
	"File", "Files", "Open", "Exec", "Dial", "Listen", "Serve", "Remove", "Setenv", "Register", "Log", "Dir", "Must", "Fuzz", "Test", "Download", "Fetch", "Connect", "Run",
	"Start", "Println", "Printf", "Global", "Unsafe", "Exit", "Sleep", "Glob", "Env", "Seed",
}

// sideEffectFirst are such words if they are the first of the name.
var sideEffectFirst = []string{"Print", "Debug", "Use", "Init", "Enable", "Disable"}

// isRead reports whether a function makes a reader or a decoder of an io.Reader: it reads nothing yet.
func isRead(f *survey.Func) bool {
	sig := f.Obj.Signature()
	return strings.HasPrefix(f.Obj.Name(), "New") && sig.Results().Len() > 0 && sig.Params().Len() > 0 && inputKind(sig.Params().At(0).Type()) == reader
}

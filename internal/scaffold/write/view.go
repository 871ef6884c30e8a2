package write

import (
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// view is what the templates see of a target.
type view struct{ *plan.Target }

func newView(t *plan.Target) *view { return &view{t} }

// In is the name of the input.
func (v *view) In() string { return v.Params[0].Name }

// Arg is the input as the function takes it.
func (v *view) Arg() string { return convert(v.In(), v.Params[0].Type, v.Input) }

// Call is the call of the function with an input.
func (v *view) Call(in string) string { return strings.ReplaceAll(v.Fn.Expr, "$", in) }

// Inv is the call of the other function.
func (v *view) Inv(in string) string { return strings.ReplaceAll(v.Inverse.Expr, "$", in) }

// Law is a call that compares two values.
func (v *view) Law(expr, a, b string) string {
	return strings.ReplaceAll(strings.ReplaceAll(expr, "$", a), "#", b)
}

// convert gives a variable of one type to what takes another one.
func convert(name, have, want string) string {
	switch {
	case have == want:
		return name
	case want == "io.Reader" && have == "string":
		return "strings.NewReader(" + name + ")"
	case want == "io.Reader":
		return "bytes.NewReader(" + name + ")"
	case want == "string":
		return "string(" + name + ")"
	}
	return "[]byte(" + name + ")"
}

// Convert is convert for templates.
func (v *view) Convert(name, have, want string) string { return convert(name, have, want) }

// Blanks assigns all results of the function to blanks.
func (v *view) Blanks() string {
	n := len(v.Fn.Results)
	if n == 0 {
		return ""
	}
	return strings.Repeat("_, ", n-1) + "_ = "
}

// Fails reports whether the function says if it takes the input.
func (v *view) Fails() bool { return fails(v.Fn) }

// InvFails reports the same about the other function.
func (v *view) InvFails() bool { return fails(v.Inverse) }

func fails(c plan.Callee) bool {
	return len(c.Results) > 0 && c.Results[len(c.Results)-1] != plan.Value
}

// OK reports whether the function says so by a bool.
func (v *view) OK() bool { return v.Fails() && v.Fn.Results[len(v.Fn.Results)-1] == plan.OK }

// InvOK reports the same about the other function.
func (v *view) InvOK() bool {
	return v.InvFails() && v.Inverse.Results[len(v.Inverse.Results)-1] == plan.OK
}

// Parsed is the variable for what a parser returns.
func (v *view) Parsed() string {
	if v.Var == "v" || strings.HasPrefix(v.Setup, "var v ") {
		return "parsed"
	}
	return "v"
}

// Flag is the variable in which the function says whether it takes the input: err or ok.
func (v *view) Flag() string {
	if v.OK() {
		return "ok"
	}
	return "err"
}

// Refused is the condition that says that the input is not taken.
func (v *view) Refused() string {
	if v.OK() {
		return "!ok"
	}
	return "err != nil"
}

// Why is the verb and the argument of a message that says why an input is refused.
func (v *view) Why() string {
	if v.OK() {
		return `"`
	}
	return `: %v"`
}

// WhyArg is the argument for Why.
func (v *view) WhyArg() string {
	if v.OK() {
		return ""
	}
	return ", err"
}

// Fresh are the statements that make another value as Setup does, with another name.
func (v *view) Fresh(name string) string {
	old := v.Var
	if rest, ok := strings.CutPrefix(v.Setup, "var "+old+" "); ok {
		return "var " + name + " " + rest
	}
	return name + strings.TrimPrefix(v.Setup, old)
}

// With is an expression with another name for the value.
func (v *view) With(expr, name string) string {
	old := v.Var
	expr = strings.ReplaceAll(expr, "&"+old+")", "&"+name+")")
	expr = strings.ReplaceAll(expr, ", "+old+")", ", "+name+")")
	if rest, ok := strings.CutPrefix(expr, old+"."); ok {
		return name + "." + rest
	}
	return expr
}

// Out is the variable for what is written of a value.
func (v *view) Out() string {
	if v.isBinary() {
		return "encoded"
	}
	return "text"
}

// isBinary reports whether what is written and read is no text.
func (v *view) isBinary() bool {
	switch v.Kind {
	case plan.Marshal:
		return !slices.Contains([]string{"MarshalText", "json.Marshal", "String"}, v.Inverse.Name)
	case plan.Pair:
		return v.Output == "[]byte"
	}
	return false
}

// IsJSON reports whether values are read by package json, for which null is no value.
func (v *view) IsJSON() bool { return v.Inverse.Name == "json.Marshal" }

// InVerb prints what Marshal targets read and write, and the input of Pair targets.
func (v *view) InVerb() string {
	if v.Kind == plan.Marshal && v.isBinary() {
		return "%x"
	}
	return "%q"
}

// OutVerb prints the output of Pair targets.
func (v *view) OutVerb() string {
	if v.isBinary() {
		return "%x"
	}
	return "%q"
}

// WantFlag is the variable in which the other function says whether it takes the input.
func (v *view) WantFlag() string {
	if v.OK() {
		return "wantOK"
	}
	return "wantErr"
}

// doc is the comment of a target.
func (v *view) doc() string {
	name := v.Covers[0]
	if v.Kind == plan.Laws {
		name = v.Fn.Name
	}
	switch v.Kind {
	case plan.Print:
		return v.Name + " checks that " + name + " accepts the String of what it has parsed, and that the String stays the same."
	case plan.Marshal:
		writer := strings.Replace(v.Inverse.Name, "json.Marshal", "MarshalJSON", 1)
		return v.Name + " checks that " + name + " accepts what " + writer + " writes, and that it is written the same again."
	case plan.Pair:
		if v.Valid {
			return v.Name + " checks that " + v.Inverse.Name + " undoes " + name + " for valid UTF-8."
		}
		return v.Name + " checks that " + v.Inverse.Name + " undoes " + name + "."
	case plan.Twin:
		return v.Name + " checks that " + name + " and " + v.Inverse.Name + " give the same results."
	case plan.Idempotent:
		return v.Name + " checks that " + name + " does not change its own result."
	case plan.Laws:
		return v.Name + " checks that " + name + " is reflexive, antisymmetric and transitive" + v.agrees() + "."
	case plan.Stream:
		return v.Name + " checks that " + v.Inverse.Name + " reads back what " + name + " writes."
	case plan.Read:
		return v.Name + " checks that reading arbitrary data with " + name + " does not panic."
	case plan.Methods:
		return v.Name + " checks that no sequence of calls of its methods makes a " + v.Type + " panic."
	}
	return v.Name + " checks that " + name + " does not panic."
}

func (v *view) agrees() string {
	if len(v.Extra) == 0 {
		return ""
	}
	names := make([]string, len(v.Extra))
	for i, op := range v.Extra {
		names[i] = op.Name
	}
	last := names[len(names)-1]
	if len(names) > 1 {
		last = strings.Join(names[:len(names)-1], ", ") + " and " + last
	}
	return ", and that it agrees with " + last
}

// Verb prints what the function returns.
func (v *view) Verb() string {
	if v.Output == "string" || v.Output == "[]byte" {
		return "%q"
	}
	return "%v"
}

package write

import (
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// view gives the templates access to a target.
type view struct{ *plan.FuzzFunc }

// In returns the name of the input.
func (v *view) In() string { return v.Params[0].Name }

// Arg returns the input, converted to the type that the function takes.
func (v *view) Arg() string { return plan.Convert(v.In(), v.Params[0].Type, v.Input) }

// Call returns a call of the function with an input.
func (v *view) Call(in string) string { return strings.ReplaceAll(v.Fn.Expr, "$", in) }

// Inv returns a call of the other function with an input.
func (v *view) Inv(in string) string { return strings.ReplaceAll(v.Inverse.Expr, "$", in) }

// Law returns a call that compares a and b.
func (v *view) Law(expr, a, b string) string {
	return strings.ReplaceAll(strings.ReplaceAll(expr, "$", a), "#", b)
}

// Convert is [plan.Convert].
func (v *view) Convert(name, have, want string) string { return plan.Convert(name, have, want) }

// Blanks returns the left side of an assignment of all results of the function to blanks; empty: it returns nothing.
func (v *view) Blanks() string {
	n := len(v.Fn.Results)
	if n == 0 {
		return ""
	}
	return strings.Repeat("_, ", n-1) + "_ = "
}

// Fails reports whether the function can refuse its input.
func (v *view) Fails() bool { return fails(v.Fn) }

// InvFails reports whether the other function can refuse its input.
func (v *view) InvFails() bool { return fails(v.Inverse) }

func fails(c plan.Callee) bool {
	return len(c.Results) > 0 && c.Results[len(c.Results)-1] != plan.Value
}

// OK reports whether the function refuses its input with a bool.
func (v *view) OK() bool { return v.Fails() && v.Fn.Results[len(v.Fn.Results)-1] == plan.OK }

// InvOK reports whether the other function refuses its input with a bool.
func (v *view) InvOK() bool {
	return v.InvFails() && v.Inverse.Results[len(v.Inverse.Results)-1] == plan.OK
}

// Parsed returns the variable for the result of a parser.
func (v *view) Parsed() string {
	if v.Var == "v" || strings.HasPrefix(v.Setup, "var v ") {
		return "parsed"
	}
	return "v"
}

// InvBlanks returns the beginning of an assignment of all results of the other function but the last to blanks.
func (v *view) InvBlanks() string { return strings.Repeat("_, ", len(v.Inverse.Results)-1) }

// Flag returns the variable that tells whether the function refuses its input: err or ok.
func (v *view) Flag() string {
	if v.OK() {
		return "ok"
	}
	return "err"
}

// Refused returns the condition that is true if the function refuses its input.
func (v *view) Refused() string {
	if v.OK() {
		return "!ok"
	}
	return "err != nil"
}

// Why returns the end of the format of a message that says why the function refuses its input.
func (v *view) Why() string {
	if v.OK() {
		return `"`
	}
	return `: %v"`
}

// WhyArg returns the argument for the verb in Why.
func (v *view) WhyArg() string {
	if v.OK() {
		return ""
	}
	return ", err"
}

// Fresh returns Setup with another name for the variable.
func (v *view) Fresh(name string) string {
	old := v.Var
	if rest, ok := strings.CutPrefix(v.Setup, "var "+old+" "); ok {
		return "var " + name + " " + rest
	}
	return name + strings.TrimPrefix(v.Setup, old)
}

// With returns an expression with another name for Var.
func (v *view) With(expr, name string) string {
	old := v.Var
	expr = strings.ReplaceAll(expr, "&"+old+")", "&"+name+")")
	expr = strings.ReplaceAll(expr, ", "+old+")", ", "+name+")")
	if rest, ok := strings.CutPrefix(expr, old+"."); ok {
		return name + "." + rest
	}
	return expr
}

// Out returns the variable for a value that was written.
func (v *view) Out() string {
	if v.isBinary() {
		return "encoded"
	}
	return "text"
}

// isBinary reports whether the target writes and reads binary data.
func (v *view) isBinary() bool {
	switch v.Kind {
	case plan.Marshal:
		return !slices.Contains([]string{"MarshalText", "json.Marshal", "String"}, v.Inverse.Name)
	case plan.Pair:
		return v.Output == "[]byte"
	}
	return false
}

// IsJSON reports whether the target reads values with json.Unmarshal, which by convention does nothing for null.
func (v *view) IsJSON() bool { return v.Inverse.Name == "json.Marshal" }

// InVerb returns the verb for the data of a Marshal target, and for the input of a Pair target.
func (v *view) InVerb() string {
	if v.Kind == plan.Marshal && v.isBinary() {
		return "%x"
	}
	return "%q"
}

// OutVerb returns the verb for the output of a Pair target.
func (v *view) OutVerb() string {
	if v.isBinary() {
		return "%x"
	}
	return "%q"
}

// WantFlag returns the variable of a Twin target that tells whether the function for strings refuses its input.
func (v *view) WantFlag() string {
	if v.OK() {
		return "wantOK"
	}
	return "wantErr"
}

// doc returns the comment of a target.
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

// agrees returns the clause of the comment about the other methods of a Laws target.
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

// Verb returns the verb for the results of a Twin target.
func (v *view) Verb() string {
	if v.Output == "string" || v.Output == "[]byte" {
		return "%q"
	}
	return "%v"
}

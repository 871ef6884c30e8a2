package plan

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// parse is the rule for functions that say whether they accept their input. If the result is a value of the package with a String method,
// the target checks that the function accepts the printed value.
func parse(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	s, reason := pl.shapeOf(f)
	if s == nil || !s.takes() {
		if reason != "" && returnsError(f) {
			return nil, reason
		}
		return nil, ""
	}
	if isRead(f) || isIdle(f, s) || s.results[len(s.results)-1] == OK && !speaks(f) {
		return nil, ""
	}
	weak := pl.target(Parse, f, s)
	named := pl.local(s.result)
	if named == nil || !s.one() || s.input == reader {
		return weak, ""
	}
	str := pl.method(named, "String")
	if slices.Contains([]string{"Is", "Has", "Get", "Lookup", "Find"}, firstWord(f.Obj.Name())) || str == nil || str.Avoid != "" || !isPlain(str.Obj.Signature(), text) {
		return weak, ""
	}
	recv := f.Obj.Signature().Recv()
	if lossy.MatchString(str.Doc) || s.input == bytes && !slices.Contains(Words(f.Obj.Name()), "Parse") || recv != nil && code.NamedOf(recv.Type()) == named {
		return weak, ""
	}
	t := pl.target(Print, f, s)
	t.Weaker, t.Nilable = weak, nilable(s.result) && f.Code.MayBeNil
	t.Inverse = Callee{Name: "String", Expr: "$.String()", Results: []Result{Value}}
	t.Type = named.Obj().Name()
	return t, ""
}

// lossy matches the documentation of methods whose result is not meant to be parsed.
var lossy = regexp.MustCompile(`(?i)\bdebug|\babbreviat|\btruncat|\bround(s|ed)?\b|\blossy\b|\bshorten|\bapproximat|\bsummary\b|\bdescription\b|\blog(s|ging)?\b|\bexpanded\b`)

// fills lists first words of the names of methods that set the value of their receiver.
var fills = []string{"Parse", "Unmarshal", "Decode", "Read", "Scan", "Set", "Load", "From", "Gob"}

// isIdle reports whether a function is a method that has nothing to do because it only looks into an empty value. With a value from a
// constructor, only methods whose names say that they work on text, and do not look something up, are not idle.
func isIdle(f *survey.Func, s *shape) bool {
	recv := f.Obj.Signature().Recv()
	if recv == nil {
		return false
	}
	if word := firstWord(f.Obj.Name()); slices.Contains(fills, word) && (word != "Set" || f.Obj.Name() == word && f.Obj.Signature().Params().Len() == 1) {
		return false
	}
	if !strings.HasPrefix(s.setup, "var ") {
		return !speaks(f) || slices.Contains(looks, firstWord(f.Obj.Name()))
	}
	st, ok := code.NamedOf(recv.Type()).Underlying().(*types.Struct)
	return !ok || st.NumFields() > 0
}

// looks lists first words of the names of methods that look something up in their receiver.
var looks = []string{"Get", "Has", "Is", "Find", "Count", "Check", "String"}

// marshalled lists methods that read a value, and the methods that write it.
var marshalled = []struct{ read, write string }{
	{"UnmarshalText", "MarshalText"},
	{"UnmarshalBinary", "MarshalBinary"},
	{"UnmarshalJSON", "MarshalJSON"},
	{"GobDecode", "GobEncode"},
	{"Unmarshal", "Marshal"},
	{"Decode", "Encode"},
	{"Set", "String"},
	{"Parse", "String"},
}

// marshal is the rule for methods that read an input into their receiver. If the type has the method that writes it, the target checks that
// a value that was read can be written and read again.
func marshal(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	sig := f.Obj.Signature()
	if sig.Recv() == nil {
		return nil, ""
	}
	i := slices.IndexFunc(marshalled, func(m struct{ read, write string }) bool { return m.read == f.Obj.Name() })
	if i < 0 || sig.Params().Len() != 1 || sig.Results().Len() != 1 || !returnsError(f) {
		return nil, ""
	}
	s, reason := pl.shapeOf(f)
	if s == nil || s.input == reader {
		return nil, reason
	}
	named := code.NamedOf(sig.Recv().Type())
	if _, isPointer := sig.Recv().Type().(*types.Pointer); !isPointer {
		return nil, ""
	}
	weak := pl.target(Parse, f, s)
	if f.Obj.Name() == "UnmarshalJSON" {
		weak.Fn.Expr, weak.Fn.Name = "json.Unmarshal($, &"+s.name+")", "json.Unmarshal"
		if strings.HasPrefix(s.setup, s.name+" := ") {
			weak.Fn.Expr = strings.Replace(weak.Fn.Expr, "&", "", 1)
		}
		weak.Imports = append(weak.Imports, "encoding/json")
	}
	writer := pl.method(named, marshalled[i].write)
	if writer == nil || writer.Avoid != "" || writer.Obj.Signature().Params().Len() != 0 || !returnsText(writer) || lossy.MatchString(writer.Doc) ||
		f.Obj.Name() == "Set" && isList(named) {
		return weak, ""
	}
	t := *weak
	t.Kind, t.Type, t.Weaker, t.Covers = Marshal, named.Obj().Name(), weak, []string{f.Key, writer.Key}
	t.Inverse = Callee{Name: writer.Obj.Name(), Expr: "$." + writer.Obj.Name() + "()", Results: resultsOf(writer.Obj.Signature())}
	t.Output = types.TypeString(writer.Obj.Signature().Results().At(0).Type(), nil)
	if f.Obj.Name() == "UnmarshalJSON" {
		t.Inverse = Callee{Name: "json.Marshal", Expr: "json.Marshal($)", Results: []Result{Value, Err}}
		if _, isPointer := writer.Obj.Signature().Recv().Type().(*types.Pointer); isPointer && strings.HasPrefix(s.setup, "var ") {
			t.Inverse.Expr = "json.Marshal(&$)"
		}
	}
	return &t, ""
}

// inverses lists words in names of functions, and the words in the names of their inverses. A pair of vague words counts only if tests pass
// constants to the function, because check then tries the property with them.
var inverses = []struct {
	do, undo string
	isVague  bool
}{
	{"Encode", "Decode", false},
	{"Escape", "Unescape", false},
	{"Quote", "Unquote", false},
	{"Compress", "Decompress", false},
	{"Compress", "Uncompress", false},
	{"Pack", "Unpack", false},
	{"Marshal", "Unmarshal", false},
	{"Serialize", "Deserialize", false},
	{"Serialize", "Unserialize", false},
	{"Encrypt", "Decrypt", false},
	{"Deflate", "Inflate", false},
	{"Wrap", "Unwrap", true},
	{"Format", "Parse", true},
	{"To", "From", true},
	{"Zip", "Unzip", false},
	{"Hex", "Unhex", false},
	{"Mangle", "Demangle", true},
	{"Encoded", "Decoded", false},
	{"Encoding", "Decoding", false},
	{"Flatten", "Unflatten", true},
}

// pair is the rule for functions that encode text, if the package has the function that decodes the result.
func pair(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	if f.Obj.Signature().Recv() != nil {
		return nil, ""
	}
	s, _ := pl.shapeOf(f)
	if s == nil || !s.one() || s.input == reader || len(s.params) > 0 {
		return nil, ""
	}
	out := inputKind(s.result)
	if out != text && out != bytes {
		return nil, ""
	}
	for _, words := range inverses {
		key, ok := replaceWord(f.Key, words.do, words.undo)
		if !ok || words.isVague && len(inputs(f)) == 0 {
			continue
		}
		g := pl.p.Func(key)
		if g == nil || g.Avoid != "" || g.Precondition() != "" {
			continue
		}
		d, _ := pl.shapeOf(g)
		if d == nil || !d.one() || len(d.params) > 0 || inputKind(d.result) == "" || inputKind(d.result) != s.input || d.input != out && d.input != reader {
			continue
		}
		t := pl.target(Pair, f, s)
		t.Name = "Fuzz" + f.Obj.Name() + g.Obj.Name()
		t.Inverse, t.Output = Callee{Name: g.Obj.Name(), Expr: strings.Replace(d.expr, "$", Convert("$", out, d.input), 1), Results: d.results}, out
		t.Valid = s.input == text
		t.Weaker = pl.target(Parse, f, s)
		return t, ""
	}
	return nil, ""
}

// twin is the rule for functions that take a string, if the package has the same function for bytes.
func twin(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	s, _ := pl.shapeOf(f)
	if f.Obj.Signature().Recv() != nil || s == nil || s.input != text || len(s.results) == 0 || len(s.results) > 2 || len(s.results) == 2 && !s.takes() {
		return nil, ""
	}
	for _, name := range []string{f.Key + "Bytes", strings.TrimSuffix(f.Key, "String"), strings.TrimSuffix(f.Key, "String") + "Bytes"} {
		g := pl.p.Func(name)
		if g == nil || g == f || g.Avoid != "" || g.Precondition() != "" || converts(f, g) || converts(g, f) {
			continue
		}
		b, _ := pl.shapeOf(g)
		if b == nil || b.input != bytes || !slices.Equal(b.params, s.params) || !slices.Equal(b.results, s.results) || !sameResult(s.result, b.result) {
			continue
		}
		t := pl.target(Twin, f, s)
		t.Covers = []string{f.Key, g.Key}
		t.Inverse = Callee{Name: g.Obj.Name(), Expr: b.expr, Results: b.results}
		if s.result != nil {
			t.Output = types.TypeString(b.result, nil)
		}
		if s.takes() {
			t.Weaker = pl.target(Parse, f, s)
		}
		return t, ""
	}
	return nil, ""
}

// converts reports whether f passes its text to g, and cannot fail itself.
func converts(f, g *survey.Func) bool { return f.Code.Plain[f.Obj] && f.Code.Passes[g.Obj] }

// normal lists words in the names of functions that return a normal form.
var normal = []string{"Clean", "Normalize", "Normalise", "Canonical", "Canonicalize", "Canonicalise", "Sanitize", "Sanitise"}

// idempotent is the rule for functions that return the normal form of a text.
func idempotent(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	s, _ := pl.shapeOf(f)
	if s == nil || !s.one() || s.input == reader || inputKind(s.result) != s.input {
		return nil, ""
	}
	words := Words(f.Obj.Name())
	if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(normal, w) }) || slices.Contains([]string{"Is", "Get", "Detect", "Parse"}, words[0]) {
		return nil, ""
	}
	t := pl.target(Idempotent, f, s)
	t.Weaker = pl.target(Parse, f, s)
	return t, ""
}

// called lists first words of the names of functions that work on text and should not panic although they return no error.
var called = []string{
	"Escape", "Unescape", "Quote", "Unquote", "Match", "Width", "Render", "Valid", "Validate", "Parse", "Decode", "Encode", "Convert", "Format", "Highlight", "Tokenize",
	"Lex", "Scan", "Split", "Strip", "Truncate", "Wrap", "Trim", "Minify", "Compile", "Analyze", "Detect", "Extract", "Transform", "Translate", "Slugify", "To", "From",
	"Markdown", "Sanitize", "Clean", "Normalize", "Canonical", "Canonicalize", "Indent", "Pretty", "Ugly", "Get", "Count", "Is", "Has", "Reverse", "Pluralize",
	"Singularize", "Replace", "Expand", "Diff", "Find", "Check", "Redact", "Mask", "Unmarshal", "Marshal", "Humanize", "Decompress", "Compress", "Pack", "Unpack", "String", "Make",
}

// things lists last words of names that tell what a function is or returns, rather than what it does.
var things = []string{"Handler", "Func", "Option", "Options"}

// speaks reports whether the name of a function says that the function works on text.
func speaks(f *survey.Func) bool {
	words := Words(f.Obj.Name())
	return slices.Contains(called, words[0]) && !slices.Contains(things, words[len(words)-1])
}

// call is the rule for other functions whose names say that they work on text.
func call(pl *planner, f *survey.Func) (*FuzzFunc, string) {
	if !speaks(f) {
		return nil, ""
	}
	s, reason := pl.shapeOf(f)
	if s == nil || s.takes() || len(s.results) == 0 || isRead(f) {
		return nil, reason
	}
	if isIdle(f, s) {
		return nil, ""
	}
	return pl.target(Parse, f, s), ""
}

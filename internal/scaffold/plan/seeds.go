package plan

import (
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// Limits of the seeds that a target gets from tests.
const (
	maxSeeds   = 12  // seeds that the function accepts
	maxRefused = 3   // seeds that the function refuses
	enough     = 5   // with so many seeds, the target gets none of related functions
	maxGuessed = 8   // seeds that stand in the tests and that no test is known to pass to the function
	maxWidth   = 120 // characters in a line of a literal
	maxLines   = 12  // lines of a literal
	maxSum     = 40  // lines of all literals of seeds that the function accepts, and the same for those that it refuses
	maxWide    = 3   // seeds if all literals are wider than maxWidth
	maxWidest  = 300 // characters in a line of such a literal
)

// seed sets the seeds of a target to the texts in the tests of its function.
func (pl *planner) seed(t *FuzzFunc, f *survey.Func) {
	if t.Kind == Laws {
		return
	}
	for _, s := range pl.texts(f) {
		t.Seeds = append(t.Seeds, append([]string{literal(s, t.Params[0].Type)}, t.Values...))
	}
	if len(t.Params) == 1 {
		t.Globs = f.Globs
	}
}

// texts returns the texts that tests pass to f. If there are fewer than enough, it adds those that tests pass to related functions. If there
// are none, it returns texts that stand in the tests of f.
func (c *caller) texts(f *survey.Func) []string {
	all := slices.Clone(inputs(f))
	for _, related := range []func(f, g *survey.Func) bool{passes, c.sameType} {
		if len(pick(all)) >= enough {
			break
		}
		for _, g := range slices.Concat(c.p.Funcs, c.p.Inner) {
			if g != f && related(f, g) && strings.HasSuffix(f.Obj.Name(), "JSON") {
				all = append(all, inJSON(inputs(g))...)
			} else if g != f && related(f, g) {
				all = append(all, inputs(g)...)
			}
		}
	}
	if list := pick(all); len(list) > 0 {
		return list
	}
	_, input := inputOf(f.Obj.Signature())
	for _, s := range f.Texts {
		if !c.isRubbish(f, s) && (input == text || !fileName.MatchString(s)) {
			all = append(all, survey.Arg{Text: s})
		}
	}
	if input != text {
		all = unhexed(all)
	}
	return survey.Spread(pick(all), maxGuessed)
}

// fileName matches file names, which tests of functions that read bytes contain.
var fileName = regexp.MustCompile(`^[\w./*%-]+\.\w{1,5}$`)

// unhexed returns the bytes that the texts encode if all of them are hexadecimal, and otherwise the texts.
func unhexed(list []survey.Arg) (all []survey.Arg) {
	for _, a := range list {
		data, err := hex.DecodeString(a.Text)
		if err != nil {
			return list
		}
		all = append(all, survey.Arg{Text: string(data)})
	}
	return all
}

// inputs returns the constants that tests pass to the input of a function.
func inputs(f *survey.Func) []survey.Arg {
	if at, _ := inputOf(f.Obj.Signature()); at >= 0 && at < len(f.Args) {
		return f.Args[at]
	}
	return nil
}

// inner lists first words of the names of unexported functions that parse text.
var inner = []string{"parse", "load", "decode", "unmarshal", "read", "scan", "compile", "new"}

// passes reports whether one of two exported functions passes its text to the other, and their names begin with the same word, or f passes
// its text to an unexported function g that parses it.
func passes(f, g *survey.Func) bool {
	if g.Code == nil {
		return f.Code.Passes[g.Obj] && slices.Contains(inner, firstWord(g.Obj.Name()))
	}
	return (f.Code.Passes[g.Obj] || g.Code.Passes[f.Obj]) && firstWord(f.Obj.Name()) == firstWord(g.Obj.Name())
}

// sameType reports whether two functions read values of the same type of the package, both from text or both from binary data.
func (c *caller) sameType(f, g *survey.Func) bool {
	a, b := c.reads(f), c.reads(g)
	return a != "" && a == b && isBinary(f) == isBinary(g)
}

// reads returns the name of the type of the package whose values f reads; empty: there is none.
func (c *caller) reads(f *survey.Func) string {
	sig := f.Obj.Signature()
	switch {
	case f.Code == nil || f.Avoid != "":
	case sig.Recv() != nil && sig.Params().Len() == 1 && slices.Contains(fills, firstWord(f.Obj.Name())):
		return code.NamedOf(sig.Recv().Type()).Obj().Name()
	case sig.Recv() == nil && sig.Results().Len() > 0 && returnsError(f):
		if named := c.local(sig.Results().At(0).Type()); named != nil {
			return named.Obj().Name()
		}
	}
	return ""
}

// isBinary reports whether the name of a function says that it reads binary data.
func isBinary(f *survey.Func) bool {
	return slices.ContainsFunc(Words(f.Obj.Name()), func(w string) bool {
		return slices.Contains([]string{"Binary", "Gob", "BSON", "Bytes", "Proto", "Scan"}, w)
	})
}

// inJSON returns the constants as JSON: it encodes those that are not objects, arrays or strings of JSON as strings.
func inJSON(list []survey.Arg) (all []survey.Arg) {
	for _, a := range list {
		if !json.Valid([]byte(a.Text)) || !strings.ContainsAny(a.Text, `{["`) {
			text, err := json.Marshal(a.Text)
			if err != nil || !utf8.ValidString(a.Text) {
				continue
			}
			a.Text = string(text)
		}
		all = append(all, a)
	}
	return all
}

// isRubbish reports whether a text in the tests of f is not an input: it is a format or the name of a function, or tests pass it to another
// parameter of f.
func (c *caller) isRubbish(f *survey.Func, s string) bool {
	if strings.Contains(s, "%v") || strings.Contains(s, "%s") || strings.Contains(s, "%q") || strings.Contains(s, "%d") || c.p.Func(s) != nil {
		return true
	}
	for _, args := range f.Args {
		if slices.ContainsFunc(args, func(a survey.Arg) bool { return a.Text == s }) {
			return true
		}
	}
	return false
}

// pick returns texts whose literals are readable in a source file: first those that the function accepts, then those that it refuses.
func pick(list []survey.Arg) []string {
	var taken, refused, wide []string
	for _, a := range list {
		switch {
		case a.Text == "" || slices.Contains(taken, a.Text) || slices.Contains(refused, a.Text):
		case !isReadable(a.Text, maxWidth):
			if isReadable(a.Text, maxWidest) {
				wide = append(wide, a.Text)
			}
		case a.Refused:
			refused = append(refused, a.Text)
		default:
			taken = append(taken, a.Text)
		}
	}
	if len(taken) == 0 && len(wide) > 0 {
		slices.SortStableFunc(wide, func(a, b string) int { return len(a) - len(b) })
		taken = wide[:min(len(wide), maxWide)]
	}
	return append(short(taken, maxSeeds), short(refused, maxRefused)...)
}

// short returns at most n texts, evenly spread over list, whose literals have at most maxSum lines together.
func short(list []string, n int) []string {
	for ; n > 1; n-- {
		lines := 0
		for _, s := range survey.Spread(list, n) {
			lines += 1 + strings.Count(literal(s, text), "\n")
		}
		if lines <= maxSum {
			break
		}
	}
	return survey.Spread(list, n)
}

// isReadable reports whether the literal of a text has fewer than maxLines newlines, and at most that many characters in a line.
func isReadable(s string, most int) bool {
	quoted := literal(s, text)
	width := 0
	for line := range strings.Lines(quoted) {
		width = max(width, utf8.RuneCountInString(line))
	}
	return width <= most && strings.Count(quoted, "\n") < maxLines
}

// seedLaws sets the seeds of a target of laws to the texts that tests pass to the parser.
func (pl *planner) seedLaws(t *FuzzFunc, parser *survey.Func) {
	var taken []survey.Arg
	for _, a := range inputs(parser) {
		if !a.Refused {
			taken = append(taken, a)
		}
	}
	list := pick(taken)
	if len(list) == 0 {
		list = pl.texts(parser)
	}
	t.Seeds = triples(list)
}

// triples returns seeds of three neighbors in list each.
func triples(list []string) (rows [][]string) {
	for i := 0; i < len(list) && len(list) >= 3; i += 3 {
		i = min(i, len(list)-3)
		rows = append(rows, []string{literal(list[i], text), literal(list[i+1], text), literal(list[i+2], text)})
	}
	if len(rows) == 0 && len(list) > 0 {
		rows = append(rows, []string{literal(list[0], text), literal(list[len(list)-1], text), literal(list[0], text)})
	}
	return rows
}

// literal returns a Go expression of type typ for s: a raw string if that is easier to read.
func literal(s, typ string) string {
	quoted := strconv.Quote(s)
	if utf8.ValidString(s) && strings.ContainsAny(s, "\"\\\n") && strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) && !strings.Contains(s, "\r") &&
		(strings.Count(s, "\n") > 1 || strings.ContainsAny(s, "\"\\")) && strings.TrimSpace(s) != "" {
		quoted = "`" + s + "`"
	}
	if typ == bytes {
		return "[]byte(" + quoted + ")"
	}
	return quoted
}

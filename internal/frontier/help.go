package frontier

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kinds of help: what would help to take a side.
const (
	Word     = "word"     // a dictionary word
	Number   = "number"   // a number, or a range of numbers
	Length   = "length"   // a longer or shorter input
	Type     = "type"     // a value of another type
	Checksum = "checksum" // a correct checksum
	Failure  = "failure"  // an input with which a call returns an error, or none
	Guard    = "guard"    // perhaps nothing, because the code before may exclude the side; otherwise one of the others
	Seed     = "seed"     // an input for which the condition has the other value
	Nothing  = "nothing"  // no input helps
)

// Help is what would help to take a side.
type Help struct {
	Kind  string
	Text  string   // one line
	Words [][]byte // for a dictionary; nil: none. Of several words, one is enough
}

// Explain adds to each row what its condition compares and what would help, and sorts the rows. facts are those that [Frontier.Record] adds.
func (f *Frontier) Explain(facts Facts) {
	f.addOperands()
	for _, r := range f.Rows {
		r.Chain = f.calls.chain(r.Target, r.source.function(r.branch.at))
		r.varying = varying(r, facts)
		r.explain(facts)
		r.doubt()
	}
	f.sort()
}

func (r *Row) explain(facts Facts) {
	if why := r.independent(); why != "" {
		r.Help = Help{Kind: Nothing, Text: "no input helps: " + why}
		return
	}
	switch r.branch.kind {
	case kindRange:
		state := "has an element"
		if !r.branch.want {
			state = "is empty"
		}
		r.Help = Help{Kind: Seed, Text: fmt.Sprintf("%s for which %s %s", r.cause(), r.source.text(r.branch.cond), state)}
		return
	case kindType:
		r.Help = Help{Kind: Type, Text: "another type: a target with a value, or an input, for which it is " + strings.TrimPrefix(r.Missing, "case ")}
		return
	case kindDefault:
		if sw, ok := r.branch.owner.(*ast.SwitchStmt); ok && sw.Tag != nil && r.source.reflects(sw.Tag) {
			r.Help = Help{Kind: Type, Text: "another type: a target with a value, or an input, for which " + r.source.text(sw.Tag) + " matches no case"}
			return
		}
		r.Help = Help{Kind: Seed, Text: r.cause() + " with a value that matches no case"}
		return
	}
	list, each := r.leaves()
	if !each {
		list = slices.DeleteFunc(list, func(l leaf) bool { return len(list) > 1 && l.op == token.ILLEGAL && r.source.value(l.expr) != nil })
	}
	l, pairs := r.blocking(list, each, facts)
	if len(list) == 1 || !each {
		pairs = l.own(pairs, r.source)
	}
	if len(pairs) > 0 {
		r.Compared = l.nearest(pairs)
	}
	r.Help = r.advise(l)
	if r.Help.Kind == Word && !each {
		r.addWords(list)
	}
	r.wantsError = r.Help.Kind == Failure && l.op == token.NEQ
	r.limit = l.op != token.ILLEGAL && (l.op != token.EQL || r.Compared != nil && !(r.Compared.above && r.Compared.below))
	if r.Help.Kind == Seed && len(list) > 1 && len(pairs) == 0 && r.branch.cond != nil { // any part may keep the side from being taken
		r.Help.Text = fmt.Sprintf("%s for which this is %v: %s", r.cause(), r.branch.want, r.Condition)
	}
}

// addWords adds the words of the other parts of a condition, if one part is enough.
func (r *Row) addWords(list []leaf) {
	for i := range list {
		w, _ := list[i].constantText(r.source)
		if isWord(w) && !slices.ContainsFunc(r.Help.Words, func(k []byte) bool { return string(k) == w }) {
			r.Help.Words = append(r.Help.Words, []byte(w))
		}
	}
	if len(r.Help.Words) == 1 {
		return
	}
	if r.branch.kind == kindCase {
		r.Help.Text += ", or another word of the case"
	} else {
		r.Help.Text += ", or another word of the condition"
	}
}

// blocking returns the part of the condition that keeps the side from being taken, and its comparisons: the first part whose comparisons never
// had the result that the side needs. If there is none, it is the first part without comparisons, and otherwise the first part.
func (r *Row) blocking(list []leaf, each bool, facts Facts) (l *leaf, pairs []pair) {
	var open *leaf // without comparisons
	for i := range list {
		more := r.pairsOf(&list[i], facts)
		met := false
		for _, p := range more {
			met = met || list[i].holds(p)
		}
		switch {
		case len(more) > 0 && !met:
			return &list[i], more
		case len(more) == 0 && open == nil:
			open = &list[i]
		}
	}
	if open != nil {
		return open, nil
	}
	return &list[0], r.pairsOf(&list[0], facts)
}

// advise returns what would help the leaf to have the value that the side needs.
func (r *Row) advise(l *leaf) Help {
	c := r.Compared
	equal := l.op == token.EQL || l.op == token.ILLEGAL && l.want
	want, wants := l.constantText(r.source)
	length := l.op != token.ILLEGAL && (measures(l.x) || l.val == nil && measures(l.y)) // no input changes the length of a constant
	switch {
	case l.recovers(r.source):
		return Help{Kind: Failure, Text: "an input with which the code panics"}
	case l.isError(r.source):
		return Help{Kind: Failure, Text: l.failure(r.source)}
	case l.typed():
		return Help{Kind: Type, Text: "another type: a target with a value, or an input, for which this is " + fmt.Sprint(l.want) + ": " + r.source.text(orExpr(l.origin, l.expr))}
	case length:
		return r.length(l)
	case l.named(r.source) && (c == nil || c.Place == nil):
		return Help{Kind: Seed, Text: r.cause() + " for which " + r.needs(l)}
	case wants:
		return word([]byte(want), c)
	case c != nil && c.Text && equal && c.Fixed && len(c.Word) == maxString: // the rest of the text may be missing
		return Help{Kind: Seed, Text: fmt.Sprintf("an input with a text that begins with %q", c.Word)}
	case c != nil && c.Text && equal && c.Fixed:
		return word(c.Word, c)
	case c != nil && c.Text && equal:
		return Help{Kind: Seed, Text: "an input in which both texts are equal"}
	case c != nil && !c.Text && !c.Fixed && l.op == token.EQL && c.Place == nil && c.wantedPlace != nil && len(c.seen) > 1 && c.Number > 255:
		return Help{Kind: Checksum, Text: "a correct checksum: a target that computes it, or a seed that contains it"}
	case r.source.reflects(l.expr) || r.source.reflects(l.origin):
		return Help{Kind: Type, Text: "another type: a target with a value, or an input, for which " + r.needs(l)}
	case c != nil && l.noCharacter(r.source, c.Place):
		return Help{Kind: Seed, Text: "an input for which " + r.needs(l)}
	case l.val != nil && l.val.Kind() == constant.Int && c != nil && (c.Place != nil || len(c.seen) > 1 && isLiteral(l.y)):
		return r.number(l)
	case l.val == nil && c != nil && !c.Text && (c.Place != nil || len(c.seen) > 1):
		return Help{Kind: Number, Text: "an input for which " + r.needs(l)}
	}
	return Help{Kind: Seed, Text: r.cause() + " for which " + r.needs(l)}
}

// cause returns what can change the condition. If different values were compared, it is the input alone.
func (r *Row) cause() string {
	if r.Compared != nil && len(r.Compared.seen) > 1 {
		return "an input"
	}
	return "an input, or another call by the target,"
}

// needs returns the condition that must hold, and the expression from which the value of a variable comes.
func (r *Row) needs(l *leaf) string {
	from := ""
	if l.origin != nil {
		from = fmt.Sprintf(", which comes from %s", r.source.text(l.origin))
	}
	if l.op != token.ILLEGAL {
		return l.needed(r.source) + from
	}
	return fmt.Sprintf("%s is %v%s", r.source.text(l.expr), l.want, from)
}

// recovers reports whether the leaf tests whether the code panics.
func (l *leaf) recovers(s *source) bool {
	call, ok := l.origin.(*ast.CallExpr)
	return ok && l.op == token.NEQ && s.text(call) == "recover()"
}

// named reports whether the leaf compares texts of a type that has a name, such as a kind of token. They need not be in an input.
func (l *leaf) named(s *source) bool {
	if l.val == nil || l.val.Kind() != constant.String {
		return false
	}
	_, ok := types.Unalias(s.info.TypeOf(l.x)).(*types.Named)
	return ok
}

// isLiteral reports whether a constant is a literal in the source. A constant with a name is more often a state of the program than a number
// of the input.
func isLiteral(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	_, ok := e.(*ast.BasicLit)
	return ok
}

// maxWord is the length of the longest word of a dictionary. gnaw fuzz finds a single byte without one.
const maxWord = 128

// word advises a dictionary word.
func word(w []byte, c *Operands) Help {
	in := ""
	if c != nil && c.Place != nil {
		in = fmt.Sprintf(" in place of %s (%s)", c.Seen, c.Place.Describe())
	}
	switch {
	case len(w) == 0:
		return Help{Kind: Seed, Text: "an empty text" + in}
	case !isWord(string(w)):
		return Help{Kind: Seed, Text: fmt.Sprintf("an input with the text %q%s", w, in)}
	}
	return Help{Kind: Word, Text: fmt.Sprintf("the dictionary word %q%s", w, in), Words: [][]byte{w}}
}

// isWord reports whether a text is worth a word in a dictionary.
func isWord(text string) bool { return len(text) > 1 && len(text) <= maxWord }

// number advises a number.
func (r *Row) number(l *leaf) Help {
	n := l.val.ExactString()
	if t := r.source.info.Types[l.y].Type; t != nil {
		if v, ok := constant.Int64Val(l.val); ok && (v > ' ' && v < utf8.MaxRune) && isCharacter(t, l.y) {
			n = fmt.Sprintf("%q", rune(v))
		}
	}
	rel := map[token.Token]string{
		token.EQL: "the number %s", token.NEQ: "another number than %s", token.LSS: "a number below %s", token.LEQ: "a number of at most %s",
		token.GTR: "a number above %s", token.GEQ: "a number of at least %s",
	}[l.op]
	text := fmt.Sprintf(rel, n) + " as " + r.source.text(l.x)
	if c := r.Compared; c != nil && c.Place != nil {
		text += fmt.Sprintf(", in place of %s (%s)", c.Seen, c.Place.Describe())
	}
	return Help{Kind: Number, Text: text}
}

// isCharacter reports whether a constant is a character in the source.
func isCharacter(t types.Type, e ast.Expr) bool {
	if lit, ok := e.(*ast.BasicLit); ok {
		return lit.Kind == token.CHAR
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UntypedRune
}

// constantText returns the constant that a text must be equal to, or that it must contain, for the leaf to have the value that the side needs; ok is
// false if there is none.
func (l *leaf) constantText(s *source) (text string, ok bool) {
	if l.val != nil && l.val.Kind() == constant.String && l.op == token.EQL {
		return constant.StringVal(l.val), true
	}
	if l.want {
		text = l.sought(s)
	}
	return text, text != ""
}

// length advises another length.
func (r *Row) length(l *leaf) Help {
	c := r.Compared
	what := "length"
	if c != nil && !c.Text && c.measured >= 0 {
		what = "input"
	}
	op := l.op
	if measures(l.y) && !measures(l.x) && (what == "length" || c.seenNumber == c.Number) { // otherwise the length of the input is x
		op = mirrored[op]
	}
	kind := "another " + what
	switch known := c != nil && !c.Text && c.Fixed; {
	case op == token.GTR || op == token.GEQ || op == token.EQL && known && c.seenNumber < c.Number:
		kind = map[string]string{"input": "a longer input", "length": "a greater length"}[what]
	case op == token.LSS || op == token.LEQ || op == token.EQL && known && c.seenNumber > c.Number:
		kind = map[string]string{"input": "a shorter input", "length": "a smaller length"}[what]
	}
	return Help{Kind: Length, Text: fmt.Sprintf("%s, for which %s", kind, r.needs(l))}
}

// typed reports whether the leaf is the result of a type assertion.
func (l *leaf) typed() bool {
	_, ok := l.origin.(*ast.TypeAssertExpr)
	return ok
}

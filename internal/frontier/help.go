package frontier

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
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
	Kind  string   `json:"help"`
	Text  string   `json:"text"`            // one line
	Words [][]byte `json:"words,omitempty"` // for a dictionary; nil: none. Of several words, one is enough
}

// Explain adds to each row what its condition compares and what would help, and sorts the rows. facts are those that [Frontier.Record] adds.
func (f *Frontier) Explain(facts Facts) {
	f.addOperands()
	for _, r := range f.Rows {
		r.Chain = f.calls.chain(r.Target, r.source.function(r.branch.at))
		r.varying = varying(r, facts)
		r.explain(facts)
		r.doubt()
		r.Class = r.class()
	}
	f.sort()
}

func (r *Row) explain(facts Facts) {
	if why := r.independent(); why != "" {
		r.Help = Help{Kind: Nothing, Text: "no input helps: " + why}
		return
	}
	if !r.explainWhole() {
		r.explainLeaves(facts)
	}
}

// explainWhole explains a branch without comparisons: a range, a case of a type switch, or the case that no value matches. It reports whether the
// branch is one.
func (r *Row) explainWhole() bool {
	switch r.branch.kind {
	default:
		return false
	case kindRange:
		state := "has an element"
		if !r.branch.want {
			state = "is empty"
		}
		r.Help = Help{Kind: Seed, Text: fmt.Sprintf("%s for which %s %s", r.cause(), r.source.text(r.branch.cond), state)}
	case kindType:
		r.Help = Help{Kind: Type, Text: "another type: a target with a value, or an input, for which it is " + strings.TrimPrefix(r.Missing, "case ")}
	case kindDefault:
		r.Help = Help{Kind: Seed, Text: r.cause() + " with a value that matches no case"}
		if sw, ok := r.branch.owner.(*ast.SwitchStmt); ok && sw.Tag != nil && r.source.reflects(sw.Tag) {
			r.Help = Help{Kind: Type, Text: "another type: a target with a value, or an input, for which " + r.source.text(sw.Tag) + " matches no case"}
		}
	}
	return true
}

// explainLeaves explains a branch by the comparisons of its condition.
func (r *Row) explainLeaves(facts Facts) {
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
	c, s := r.Compared, r.source
	text := r.cause() + " for which " + r.needs(l)
	want, wants := l.constantText(s)
	switch {
	case l.recovers(s):
		return Help{Kind: Failure, Text: "an input with which the code panics"}
	case l.isError(s):
		return Help{Kind: Failure, Text: l.failure(s)}
	case l.typed():
		return Help{Kind: Type, Text: "another type: a target with a value, or an input, for which this is " + fmt.Sprint(l.want) + ": " + s.text(orExpr(l.origin, l.expr))}
	case l.measuresLength():
		return Help{Kind: Length, Text: text + c.instead(", ")}
	case l.named(s) && (c == nil || c.Place == nil):
		return Help{Kind: Seed, Text: text}
	case wants:
		return word([]byte(want), c)
	}
	if c != nil {
		if h, ok := r.adviseCompared(l, text); ok {
			return h
		}
	}
	if s.reflects(l.expr) || s.reflects(l.origin) {
		return Help{Kind: Type, Text: "another type: a target with a value, or an input, for which " + r.needs(l)}
	}
	return Help{Kind: Seed, Text: text}
}

// measuresLength reports whether the leaf compares a length that an input can change; none changes that of a constant.
func (l *leaf) measuresLength() bool {
	return l.op != token.ILLEGAL && (measures(l.x) || l.val == nil && measures(l.y))
}

// adviseCompared gives advice from the values that executions compared; ok is false if they support none.
func (r *Row) adviseCompared(l *leaf, text string) (h Help, ok bool) {
	c, s := r.Compared, r.source
	switch {
	case c.text && (l.op == token.EQL || l.op == token.ILLEGAL && l.want):
		return c.textual(), true
	case l.op == token.EQL && c.sums():
		return Help{Kind: Checksum, Text: "a correct checksum: a target that computes it, or a seed that contains it"}, true
	case s.reflects(l.expr) || s.reflects(l.origin):
		return Help{}, false
	case !c.text && !l.noCharacter(s, c.Place) && (c.Place != nil || len(c.seen) > 1):
		return Help{Kind: Number, Text: text + c.instead(", ")}, true
	}
	return Help{}, false
}

// textual advises a text that is equal to the wanted one.
func (o *Operands) textual() Help {
	switch {
	case !o.fixed:
		return Help{Kind: Seed, Text: "an input in which both texts are equal"}
	case len(o.word) == maxString: // the rest of the text may be missing
		return Help{Kind: Seed, Text: fmt.Sprintf("an input with a text that begins with %q", o.word)}
	}
	return word(o.word, o)
}

// sums reports whether the wanted number is in the input, and the compared one, which differs between executions, is not.
func (o *Operands) sums() bool {
	return !o.text && !o.fixed && o.Place == nil && o.wantedPlace != nil && len(o.seen) > 1 && o.number > 255
}

// cause returns what can change the condition. If different values were compared, or the input has the value, it is the input alone.
func (r *Row) cause() string {
	if c := r.Compared; c != nil && (len(c.seen) > 1 || c.Place != nil) {
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

// maxWord is the length of the longest word of a dictionary. gnaw fuzz finds a single byte without one.
const maxWord = 128

// word advises a dictionary word.
func word(w []byte, c *Operands) Help {
	in := c.instead(" ")
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

// typed reports whether the leaf is the result of a type assertion.
func (l *leaf) typed() bool {
	_, ok := l.origin.(*ast.TypeAssertExpr)
	return ok
}

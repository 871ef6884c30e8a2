package frontier

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
)

// Operands are the values of the comparison of a condition that comes nearest to the missing side.
type Operands struct {
	Seen   string `json:"seen"`            // the value that is compared, as a Go literal
	Wanted string `json:"wanted"`          // the value that it is compared with
	Last   string `json:"last"`            // the value in place of Seen in the last comparison of the condition
	Target string `json:"target"`          // name of the target that makes the comparison
	Entry  string `json:"entry"`           // name of the input that makes the comparison
	Size   int    `json:"size"`            // size of the input in bytes
	Place  *Place `json:"place,omitempty"` // where Seen is in the input; nil: the input does not contain it in a known form

	text         bool            // the values are strings, not integers
	number       uint64          // Wanted as an integer
	word         []byte          // Wanted as a string
	fixed        bool            // Wanted is a constant, or a key of a map
	wantedPlace  *Place          // where Wanted is in the input, if it is not fixed
	near         bool            // the values are integers, and Seen and Wanted differ by 1 at most
	above, below bool            // the values are integers, and some are greater, or smaller, than the ones that the condition compares them with
	seen         map[string]bool // the values in place of Seen in all comparisons of the condition
}

// instead returns the value that the input has in place of the wanted one, behind sep; empty: its place is not known.
func (o *Operands) instead(sep string) string {
	if o == nil || o.Place == nil {
		return ""
	}
	return fmt.Sprintf("%sin place of %s (%s)", sep, o.Seen, o.Place.Describe())
}

// where returns the place of the seen value in the input, in parentheses; empty: it is not known.
func (o *Operands) where() string {
	switch {
	case o.Place == nil:
		return ""
	case o.Place.To-o.Place.From < 2:
		return " (" + o.Place.Describe() + ")"
	}
	return " (" + o.Place.Describe() + ", " + o.Place.Form + ")"
}

func (o *Operands) last() string {
	if o.Last == o.Seen {
		return ""
	}
	return "; the last value is " + o.Last
}

// steady reports whether the executions compare one value, which is not in an input.
func (o *Operands) steady() bool {
	return o != nil && o.Place == nil && len(o.seen) == 1
}

// pair is a comparison of a leaf.
type pair struct {
	fact
	seen, wanted value
	fixed        bool // wanted is a constant, or a key of a map
}

// value is an operand.
type value struct {
	text   []byte // of a string; nil: it is a number
	number uint64
	width  uint8
}

func (v value) String(signed bool) string {
	switch {
	case v.text != nil:
		return strconv.Quote(string(v.text))
	case signed:
		return strconv.FormatInt(v.signedNumber(), 10)
	}
	return strconv.FormatUint(v.number, 10)
}

// pairsOf returns the comparisons of a leaf.
func (r *Row) pairsOf(l *leaf, facts Facts) (list []pair) {
	seen := map[int]bool{}
	for _, n := range []ast.Node{l.expr, l.where, l.origin} {
		if n == nil || n == ast.Expr(nil) {
			continue
		}
		for i := r.source.at(n.Pos()).Line; i <= r.source.at(n.End()).Line; i++ {
			if seen[i] {
				continue
			}
			seen[i] = true
			for _, f := range facts[line{r.File, i}] {
				if p, ok := l.pair(f, r.source); ok {
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// maxString is how many bytes of a string a recorded comparison contains.
const maxString = 64

// pair returns a comparison with its operands as seen and wanted. ok reports whether the leaf may have made it.
func (l *leaf) pair(f fact, s *source) (p pair, ok bool) {
	a, b := value{number: f.A, width: f.Width}, value{number: f.B, width: f.Width}
	if f.Width == 0 {
		a, b = value{text: nonNil(f.SA)}, value{text: nonNil(f.SB)}
	}
	p = pair{fact: f, seen: b, wanted: a}
	switch {
	case l.op != token.ILLEGAL && l.val != nil:
		p.fixed = true
		return l.pairWithConstant(p)
	case l.op != token.ILLEGAL && l.origin == nil:
		p.seen, p.wanted = a, b
		if f.Width != 0 {
			return p, f.Op == compare.Int && isNumber(s, l.x) != no
		}
		return p, f.Op != compare.Map && isNumber(s, l.x) != yes
	case f.Op == compare.Map || f.Op == compare.Needle || f.Op == compare.Fold || f.Op == compare.Str: // the leaf is a call or a lookup
		return l.pairOfCall(p, s)
	}
	_, lookup := l.origin.(*ast.IndexExpr)
	p.fixed = true
	return p, lookup && f.Op == compare.ConstInt
}

// pairWithConstant completes a pair of a comparison with a constant; ok is false if the fact is of other code in the line.
func (l *leaf) pairWithConstant(p pair) (_ pair, ok bool) {
	switch l.val.Kind() {
	case constant.String:
		want := []byte(constant.StringVal(l.val))
		want = want[:min(len(want), maxString)]
		switch {
		case p.Width != 0:
			return p, false
		case bytes.Equal(p.SB, want):
			p.seen, p.wanted = p.wanted, p.seen
			return p, true
		}
		return p, bytes.Equal(p.SA, want)
	case constant.Int:
		if p.Width == 0 {
			return p, false
		}
		n, exact := constant.Int64Val(l.val)
		if u, ok := constant.Uint64Val(l.val); ok {
			n, exact = int64(u), true
		}
		mask := ^uint64(0) >> (64 - 8*uint(p.Width))
		return p, exact && p.Op == compare.ConstInt && p.A == uint64(n)&mask
	}
	return p, false // true, 1.5
}

// pairOfCall completes a pair of a call or a lookup; ok is false if the fact is of other code in the line.
func (l *leaf) pairOfCall(p pair, s *source) (_ pair, ok bool) {
	if w := l.sought(s); w != "" {
		w = w[:min(len(w), maxString)]
		if string(p.SA) != w && string(p.SB) != w {
			return p, false
		}
	}
	if p.Op != compare.Str || !l.constantArgument(s, p.SA) {
		p.seen, p.wanted = p.wanted, p.seen
	}
	p.fixed = p.Op == compare.Map || l.constantArgument(s, p.wanted.text)
	return p, true
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// answer is yes, no or unknown.
type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// isNumber reports whether an expression is an integer.
func isNumber(s *source, e ast.Expr) answer {
	t := s.info.Types[e].Type
	if t == nil || t == types.Typ[types.Invalid] {
		return unknown
	}
	basic, ok := t.Underlying().(*types.Basic)
	if ok && basic.Info()&types.IsInteger != 0 {
		return yes
	}
	return no
}

// constantArgument reports whether the leaf, or the expression that its value comes from, contains a constant with this text.
func (l *leaf) constantArgument(s *source, text []byte) (found bool) {
	for _, e := range []ast.Expr{l.expr, l.origin} {
		if e == nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if x, ok := n.(ast.Expr); ok && !found {
				v := s.value(x)
				found = v != nil && v.Kind() == constant.String && constant.StringVal(v) == string(text)
			}
			return !found
		})
	}
	return found
}

// holds reports whether a comparison has the result that the missing side needs.
func (l *leaf) holds(p pair) bool {
	if p.seen.text != nil {
		eq := bytes.Equal(p.seen.text, p.wanted.text)
		if p.Op == compare.Needle && l.op == token.ILLEGAL {
			eq = bytes.Contains(p.seen.text, p.wanted.text)
		}
		switch l.op {
		case token.NEQ:
			return !eq
		case token.EQL:
			return eq
		case token.ILLEGAL:
			return eq == l.want
		}
		return false
	}
	a, b := p.seen.number, p.wanted.number
	if l.signed {
		a, b = uint64(p.seen.signedNumber())^1<<63, uint64(p.wanted.signedNumber())^1<<63
	}
	switch l.op {
	case token.EQL:
		return a == b
	case token.NEQ:
		return a != b
	case token.LSS:
		return a < b
	case token.LEQ:
		return a <= b
	case token.GTR:
		return a > b
	case token.GEQ:
		return a >= b
	}
	return (a == b) == l.want
}

// own removes comparisons of other code in the line, such as those of c[0] from those of c[1] in c[0] == '-' && c[1] == '-'. The leaf never has the
// value that the side needs, so it makes no comparison at an address where a comparison has the result that the side needs. own removes nothing
// for a lookup, which makes comparisons with several keys, and for a call that gnaw does not know.
func (l *leaf) own(list []pair, s *source) []pair {
	if l.op == token.ILLEGAL && l.sought(s) == "" {
		return list
	}
	others := map[address]bool{}
	for _, p := range list {
		if l.holds(p) {
			others[p.at] = true
		}
	}
	return slices.DeleteFunc(list, func(p pair) bool { return others[p.at] })
}

// nearest returns the operands of the comparison with the smallest distance.
func (l *leaf) nearest(list []pair) *Operands {
	best, values := list[0], map[string]bool{}
	for _, p := range list {
		values[p.seen.String(l.signed)] = true
		if p.distance() < best.distance() {
			best = p
		}
	}
	best, place := confirmed(best, list)
	if place == nil {
		place = best.seen.length(best.input.entry)
	}
	last := list[len(list)-1]
	o := &Operands{
		Seen: best.seen.String(l.signed), Wanted: best.wanted.String(l.signed), Last: last.seen.String(l.signed),
		Target: best.input.target.Func, Entry: best.input.entry.Name, Size: best.input.entry.Size, Place: place,
		text: best.seen.text != nil, number: best.wanted.number, word: best.wanted.text, fixed: best.fixed && !taken(best, list), seen: values,
	}
	if !o.fixed {
		o.wantedPlace = best.wanted.find(best.input.entry)
	}
	o.near = best.seen.text == nil && best.distance() <= 1
	for _, p := range list {
		o.above = o.above || l.compare(p) > 0
		o.below = o.below || l.compare(p) < 0
	}
	return o
}

// taken reports whether the key of a map comes from the input: each input that makes a lookup in a map with this key contains the key.
func taken(best pair, list []pair) bool {
	if best.Op != compare.Map || best.wanted.text == nil {
		return false
	}
	for _, p := range list {
		if bytes.Equal(p.wanted.text, best.wanted.text) && p.wanted.find(p.input.entry) == nil {
			return false
		}
	}
	return true
}

// compare compares the integers of a comparison: it is negative if the value that is seen is smaller.
func (l *leaf) compare(p pair) int {
	if l.signed {
		return cmp.Compare(p.seen.signedNumber(), p.wanted.signedNumber())
	}
	return cmp.Compare(p.seen.number, p.wanted.number)
}

package mutate

// kind is what a lexeme of a text is, as far as its characters alone show it.
type kind uint8

const (
	kindNone kind = iota
	kindWord
	kindNumber
	kindQuoted // with its quotes
	kindBlank
	kindBracket
	kindOperation // one to three characters of an operator
	kindOther     // any other character
)

// maxOperation is the length of the longest operator that is taken as one lexeme.
const maxOperation = 3

// lexemeAt returns the lexeme that the byte at position at belongs to. Inside of a quoted string it is a part of the
// string; only at its opening quote it is the string.
func lexemeAt(b []byte, at int) (lo, hi int, k kind) {
	c := b[at]
	cl := classes[c]
	switch {
	case cl&digit != 0:
		lo, hi = wordAt(b, at)
		if classes[b[lo]]&digit == 0 {
			return lo, hi, kindWord
		}
		lo, hi = literalAround(b, lo, hi)
		return lo, hi, kindNumber
	case cl&letter != 0 || c == '_' || c >= 0x80:
		lo, hi = wordAt(b, at)
		if classes[b[lo]]&digit != 0 {
			return lo, hi, kindNumber
		}
		return lo, hi, kindWord
	case cl&blank != 0:
		lo, hi = wordAt(b, at)
		return lo, hi, kindBlank
	case cl&quote != 0:
		if end := quotedEnd(b, at); end > at {
			return at, end, kindQuoted
		}
		return at, at + 1, kindOther
	case cl&operation != 0:
		lo, hi = at, at+1
		for lo > 0 && hi-lo < maxOperation && classes[b[lo-1]]&operation != 0 {
			lo--
		}
		for hi < len(b) && hi-lo < maxOperation && classes[b[hi]]&operation != 0 {
			hi++
		}
		return lo, hi, kindOperation
	case cl&bracket != 0:
		return at, at + 1, kindBracket
	}
	return at, at + 1, kindOther
}

// quotedEnd returns the position behind the quote that ends the string that starts at b[at], and at if none is near.
func quotedEnd(b []byte, at int) int {
	limit := min(at+lineReach, len(b))
	for end := at + 1; end < limit; end++ {
		switch b[end] {
		case b[at]:
			return end + 1
		case '\\':
			end++
		}
	}
	return at
}

// literalAround widens the digits b[lo:hi] to the number that they belong to: with its fraction, its exponent and a
// minus that is no subtraction.
func literalAround(b []byte, lo, hi int) (int, int) {
	if lo > 1 && b[lo-1] == '.' && classes[b[lo-2]]&digit != 0 {
		lo--
		for end := max(lo-wordReach, 0); lo > end && classes[b[lo-1]]&digit != 0; {
			lo--
		}
	}
	if hi+1 < len(b) && b[hi] == '.' && classes[b[hi+1]]&digit != 0 {
		hi++
		for end := min(hi+wordReach, len(b)); hi < end && classes[b[hi]]&(digit|letter) != 0; {
			hi++
		}
	}
	if e := b[hi-1] | caseBit; e == 'e' && hi+1 < len(b) && (b[hi] == '-' || b[hi] == '+') && classes[b[hi+1]]&digit != 0 {
		hi++
		for end := min(hi+wordReach, len(b)); hi < end && classes[b[hi]]&digit != 0; {
			hi++
		}
	}
	if lo > 0 && b[lo-1] == '-' && (lo == 1 || classes[b[lo-2]]&(letter|digit) == 0) {
		lo--
	}
	return lo, hi
}

// findLexeme returns a lexeme or, one time in four, a pair of brackets with its content.
func findLexeme(r *Rand, b []byte) (lo, hi int) {
	if r.Chance(1, 4) {
		if lo, hi = findBrackets(r, b); lo < hi {
			return lo, hi
		}
	}
	lo, hi, _ = lexemeAt(b, r.Intn(len(b)))
	return lo, hi
}

// marks are the characters by which lexemes of each kind are found.
var marks = [...]class{kindWord: letter, kindNumber: digit, kindQuoted: quote, kindBlank: blank, kindBracket: bracket, kindOperation: operation, kindOther: 0}

// findKind returns a lexeme of that kind; lo == hi means that there is none near a random position.
func findKind(r *Rand, b []byte, want kind) (lo, hi int) {
	if len(b) == 0 || marks[want] == 0 {
		return 0, 0
	}
	at := seek(r, b, marks[want])
	if at < 0 {
		return 0, 0
	}
	lo, hi, k := lexemeAt(b, at)
	if k != want {
		return 0, 0
	}
	return lo, hi
}

// lexemeTries is how many tokens are drawn to find one of some kind.
const lexemeTries = 2

// tokenOfKind returns a token that is one lexeme of that kind; nil if none was drawn in a few tries.
func (m *Material) tokenOfKind(want kind) []byte {
	for range lexemeTries {
		t := m.token()
		if len(t) == 0 {
			continue
		}
		if lo, hi, k := lexemeAt(t, 0); k == want && lo == 0 && hi == len(t) {
			return t
		}
	}
	m.drawn = -1
	return nil
}

// lexemeArray holds a copy of a lexeme that is to move within its own buffer. A longer one is cut.
type lexemeArray [2 * wordReach]byte

// replaceLexeme replaces a lexeme by one of the same kind: a token, one of the partner, or another one of the buffer.
func replaceLexeme(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	lo, hi, k := lexemeAt(b, m.Rand.Intn(len(b)))
	if k == kindBlank && hi < len(b) { // it is rare that there are several kinds of blanks
		lo, hi, k = lexemeAt(b, hi)
	}
	switch m.Rand.Intn(3) {
	case 0:
		if t := m.tokenOfKind(k); t != nil {
			return replace(m, b, lo, hi, t)
		}
	case 1:
		other := m.buffer()
		if l, h := findKind(m.Rand, other, k); l < h {
			return replace(m, b, lo, hi, other[l:h])
		}
	}
	if k == kindOperation && m.Rand.Bool() {
		return replaceText(m, b, lo, hi, operations[m.Rand.Intn(len(operations))])
	}
	l, h := findKind(m.Rand, b, k)
	if l == h {
		return b, false
	}
	var text lexemeArray
	return replace(m, b, lo, hi, text[:copy(text[:], b[l:h])])
}

// operations are operators of common languages, from which a text has few.
var operations = [...]string{
	"=", "==", "!=", "<", "<=", ">", ">=", "<>", "&&", "||", "!", "&", "|", "^", "~", "<<", ">>", "+", "-", "*", "/", "%",
	"**", "++", "--", "->", "=>", "::", ":=", "+=", "??", "?", ":", "..", "...", ".", "//", "=~", "===",
}

// moveLexeme moves a lexeme, or a pair of brackets with its content, to the edge of another one.
func moveLexeme(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	lo, hi := findLexeme(m.Rand, b)
	to, end, _ := lexemeAt(b, m.Rand.Intn(len(b)))
	if m.Rand.Bool() {
		to = end
	}
	switch {
	case to < lo:
		return swap(b, to, lo, lo, hi)
	case to > hi:
		return swap(b, lo, hi, hi, to)
	}
	return b, false
}

// maxGap is the length of the longest separator that insertWord copies.
const maxGap = 8

// insertWord inserts a token, or a word of the partner or of the buffer, as a neighbour of another word: with a copy of
// what separates that one from the next, or else with a blank.
func insertWord(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	lo, hi := findKind(m.Rand, b, kindWord)
	if lo == hi {
		return b, false
	}
	var text [maxGap + 2*wordReach]byte
	n := copy(text[:maxGap], b[hi:gapEnd(b, hi)])
	if n == 0 || n == len(b)-hi { // none, or the rest of the text
		text[0], n = ' ', 1
	}
	c := m.Rand.Intn(4)
	t := []byte(nil)
	if c < 2 {
		t = m.token()
	} else if c == 2 {
		other := m.buffer()
		l, h := findKind(m.Rand, other, kindWord)
		t = other[l:h]
	}
	if len(t) == 0 {
		l, h := findKind(m.Rand, b, kindWord)
		t = b[l:h]
		m.drawn = -1
	}
	if len(t) == 0 {
		t = b[lo:hi]
	}
	n += copy(text[n:], t)
	return replace(m, b, hi, hi, text[:n])
}

// gapEnd returns where the next word begins behind position at.
func gapEnd(b []byte, at int) int {
	end := at
	for limit := min(at+maxGap, len(b)); end < limit && wordClass(b[end]) != 'a'; {
		end++
	}
	return end
}

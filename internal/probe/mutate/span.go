package mutate

// finders look for a meaningful part of a text: a line, a balanced pair of brackets with its content, a word. The range
// is empty if there is none near a random position.
var finders = [...]func(r *Rand, b []byte) (lo, hi int){findLine, findBrackets, findBrackets, findWord}

func findSpan(r *Rand, b []byte) (lo, hi int) {
	if len(b) == 0 {
		return 0, 0
	}
	return finders[r.Intn(len(finders))](r, b)
}

// findLine returns a line with its newline. A text without newlines has none.
func findLine(r *Rand, b []byte) (lo, hi int) {
	lo = r.Intn(len(b))
	hi = lo
	for end := max(lo-lineReach, 0); lo > end && b[lo-1] != '\n'; {
		lo--
	}
	for end := min(hi+lineReach, len(b)); hi < end && b[hi] != '\n'; {
		hi++
	}
	if hi < len(b) && b[hi] == '\n' {
		hi++
	}
	if hi-lo == len(b) {
		return 0, 0
	}
	return lo, hi
}

// findBrackets returns a pair of brackets and what is between them.
func findBrackets(r *Rand, b []byte) (lo, hi int) {
	lo = seek(r, b, opener)
	if lo < 0 {
		return 0, 0
	}
	return lo, closing(b, lo)
}

// closing returns the position behind the bracket that closes the one at b[lo], and lo if it is not near. It counts
// brackets of that kind only and does not know about quotes: it need not be right, just often enough.
func closing(b []byte, lo int) int {
	open := b[lo]
	shut := open + 2 // as in ASCII for [ { <
	if open == '(' {
		shut = ')'
	}
	depth := 0
	for i, c := range b[lo:min(lo+spanReach, len(b))] {
		switch c {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return lo + i + 1
			}
		}
	}
	return lo
}

// findWord returns a token: a word or number, a run of blanks, or one punctuation character.
func findWord(r *Rand, b []byte) (lo, hi int) {
	return wordAt(b, r.Intn(len(b)))
}

// wordAt returns the token that the byte at position at belongs to.
func wordAt(b []byte, at int) (lo, hi int) {
	c := wordClass(b[at])
	if c != 'a' && c != ' ' {
		return at, at + 1
	}
	lo, hi = at, at+1
	for end := max(at-wordReach, 0); lo > end && wordClass(b[lo-1]) == c; {
		lo--
	}
	for end := min(at+wordReach, len(b)); hi < end && wordClass(b[hi]) == c; {
		hi++
	}
	return lo, hi
}

// deleteSpan removes a line, a bracketed part or a word.
func deleteSpan(m *Material, b []byte) ([]byte, bool) {
	lo, hi := findSpan(m.Rand, b)
	if lo == hi || hi-lo == len(b) {
		return b, false
	}
	m.at = lo
	return cut(b, lo, hi), true
}

// duplicateSpan repeats a line, a bracketed part or a word right behind itself, half of the time more than once.
func duplicateSpan(m *Material, b []byte) ([]byte, bool) {
	lo, hi := findSpan(m.Rand, b)
	if lo == hi || hi-lo > m.room(b) {
		return b, false
	}
	if m.Rand.Bool() {
		return repeat(m, b, lo, hi)
	}
	m.at = lo
	return multiply(b, lo, hi, 1), true
}

// swapSpans exchanges two lines, bracketed parts or words that do not overlap.
func swapSpans(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	find := finders[m.Rand.Intn(len(finders))]
	lo1, hi1 := find(m.Rand, b)
	lo2, hi2 := find(m.Rand, b)
	if lo1 > lo2 {
		lo1, hi1, lo2, hi2 = lo2, hi2, lo1, hi1
	}
	if lo1 == hi1 || lo2 == hi2 || hi1 > lo2 {
		return b, false
	}
	return swap(b, lo1, hi1, lo2, hi2)
}

// nestSpan puts a bracketed part into itself again and again: it repeats the text around another bracketed part or a word inside
// of it, so {"a":{"b":1}} becomes {"a":{"a":{"b":1}}}. Most grammars allow
// that, and recursion is where parsers run out of stack.
func nestSpan(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	lo, hi := findBrackets(m.Rand, b)
	if hi-lo < 2 {
		return b, false
	}
	inLo, inHi := lo+1, hi-1
	if inner := b[inLo:inHi]; len(inner) > 0 && m.Rand.Bool() {
		find := findBrackets
		if m.Rand.Bool() {
			find = findWord
		}
		if l, h := find(m.Rand, inner); l < h {
			inLo, inHi = lo+1+l, lo+1+h
		}
	}
	head, tail := inLo-lo, hi-inHi
	count := m.room(b) / (head + tail)
	if count == 0 {
		return b, false
	}
	count = pickLevels(m.Rand, count)
	m.at = lo
	b = multiply(b, inHi, hi, count)
	return multiply(b, lo, inLo, count), true
}

// replaceWord replaces a word by a token, or by another word of the same kind from the partner or from elsewhere.
func replaceWord(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	lo, hi := findWord(m.Rand, b)
	switch m.Rand.Intn(3) {
	case 0:
		if t := m.token(); len(t) > 0 {
			return replace(m, b, lo, hi, t)
		}
		m.drawn = -1
	case 1:
		if other := m.buffer(); len(other) > 0 {
			l, h := findWord(m.Rand, other)
			return replace(m, b, lo, hi, other[l:h])
		}
	}
	return m.copyWord(b, lo, hi)
}

// copyWord replaces b[lo:hi] by another word of b. The word goes through an array because it moves with the rest.
func (m *Material) copyWord(b []byte, lo, hi int) ([]byte, bool) {
	l, h := findWord(m.Rand, b)
	if wordClass(b[l]) != wordClass(b[lo]) {
		return b, false
	}
	var word [2 * wordReach]byte
	return replace(m, b, lo, hi, word[:copy(word[:], b[l:h])])
}

// quotedContents are contents of strings that code often handles wrongly: nothing, escapes that are cut off, invalid or NUL, format
// verbs, paths, names that are keywords in some language.
var quotedContents = [...]string{
	"", "\\", "\\\\", "\\\"", "\\u0000", "\\ud800", "\\udc00\\ud800", "\\uD83D\\uDE00", "\\u12", "\\x", "\\xff", "\\0",
	"\\777",
	"\\n", "\n", "\x00", "%s%n%v", "%!", "../../x", "null", "true", "0", "-1", "1e999", "__proto__", "a b", "é",
	"\xff", "<a>", "${x}",
}

// replaceQuoted replaces the content of a quoted string, or the quotes.
func replaceQuoted(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := seek(m.Rand, b, quote)
	if at < 0 {
		return b, false
	}
	end := at + 1
	for limit := min(at+lineReach, len(b)); end < limit && b[end] != b[at]; end++ {
		if b[end] == '\\' {
			end++
		}
	}
	if end >= len(b) || b[end] != b[at] {
		return b, false
	}
	switch m.Rand.Intn(4) {
	case 0:
		return replace(m, b, at+1, end, m.token())
	case 1:
		return requote(m, b, at, end)
	}
	return replaceText(m, b, at+1, end, quotedContents[m.Rand.Intn(len(quotedContents))])
}

// requote gives a string another kind of quotes.
func requote(m *Material, b []byte, at, end int) ([]byte, bool) {
	const quotes = "\"'`"
	c := quotes[m.Rand.Intn(len(quotes))]
	if c == b[at] {
		return b, false
	}
	b[at], b[end] = c, c
	return b, true
}

package mutate

// surround puts count times pre before b[lo:hi] and as many times post behind it, which both are not longer than a few
// bytes. It refuses to outgrow MaxLen; count is reduced to what fits.
func surround(m *Material, b []byte, lo, hi int, pre, post string, count int) ([]byte, bool) {
	count = min(count, m.room(b)/(len(pre)+len(post)))
	if count <= 0 {
		return b, false
	}
	b = openGap(b, hi, len(post)*count)
	for at := hi; at < hi+len(post)*count; {
		at += copy(b[at:], post)
	}
	b = openGap(b, lo, len(pre)*count)
	for at := lo; at < lo+len(pre)*count; {
		at += copy(b[at:], pre)
	}
	m.at = lo
	return b, true
}

// pairs enclose something in some language. Brackets are more frequent than the others.
var pairs = [...][2]string{
	{"(", ")"},
	{"(", ")"},
	{"[", "]"},
	{"[", "]"},
	{"{", "}"},
	{"{", "}"},
	{"<", ">"},
	{"\"", "\""},
	{"'", "'"},
	{"`", "`"},
	{"/*", "*/"},
	{"<a>", "</a>"},
	{"${", "}"},
	{"(?:", ")*"},
	{"-(", ")"},
	{" ", " "},
}

// wrapLexeme encloses a lexeme, or a pair of brackets with its content, once or many times.
func wrapLexeme(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 || m.room(b) == 0 {
		return b, false
	}
	lo, hi := findLexeme(m.Rand, b)
	p := &pairs[m.Rand.Intn(len(pairs))]
	count := 1
	if m.Rand.Bool() {
		count = pickLevels(m.Rand, m.room(b))
	}
	return surround(m, b, lo, hi, p[0], p[1], count)
}

// repeatOpener repeats an opening bracket without closing it: a parser that reads from left to right recurses before it finds the
// error.
func repeatOpener(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 || m.room(b) == 0 {
		return b, false
	}
	at := seek(m.Rand, b, opener)
	if at < 0 {
		return b, false
	}
	m.at = at
	return multiply(b, at, at+1, pickLevels(m.Rand, m.room(b))), true
}

// deleteDelimiter deletes one bracket, quote or separator, so that what it encloses does not end.
func deleteDelimiter(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	at := seek(m.Rand, b, delimiter)
	if at < 0 {
		return b, false
	}
	m.at = at
	return cut(b, at, at+1), true
}

// closeBrackets ends the text at a random place, most often where it ends already, and closes all brackets that are open
// there: a parser that gets deep before it sees that something is missing leaves texts in the corpus that only lack that.
func closeBrackets(m *Material, b []byte) ([]byte, bool) {
	at := len(b)
	if m.Rand.Bool() {
		at = m.Rand.Intn(len(b) + 1)
	}
	closers := m.held[:0]
	for _, c := range b[max(at-spanReach, 0):at] {
		switch {
		case c == '(' && len(closers) < len(m.held):
			closers = append(closers, ')')
		case (c == '[' || c == '{') && len(closers) < len(m.held):
			closers = append(closers, c+2)
		case len(closers) > 0 && c == closers[len(closers)-1]:
			closers = closers[:len(closers)-1]
		}
	}
	if len(closers) == 0 {
		return b, false
	}
	for i, j := 0, len(closers)-1; i < j; i, j = i+1, j-1 {
		closers[i], closers[j] = closers[j], closers[i]
	}
	return replace(m, b, at, len(b), closers)
}

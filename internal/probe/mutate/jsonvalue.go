package mutate

// jsonValues are one of each type that JSON has, numbers of all sizes and forms, and what only some readers take for a
// value.
var jsonValues = [...]string{
	"null", "true", "false", "\"\"", "[]", "{}", "0", "1", "-1", "\"a\"", "[null]", "{\"\":null}", "[[]]", "{\"a\":{}}", "[1,2,3]",
	"-0", "0.5", "-0.0", "1e9", "1E+2", "1.5e-3", "1e308", "1e400", "-1e400", "1e-400", "256", "-129", "65536", "2147483648",
	"4294967296", "-2147483649", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
	"18446744073709551616", "1234567890123456789012345678901", "\"1\"", "\"null\"", "\"true\"", "\"\\u0000\"", "\"\\ud800\"",
	"\"2006-01-02T15:04:05Z\"", "\"1h\"", "\"AA==\"", "01", "1.", ".5", "+1", "NaN", "Infinity", "0x10", "'a'", "nul", "TRUE",
}

// jsonValue replaces a value by another one, most often of another type, or changes its type and keeps what it holds.
func jsonValue(m *Material, b []byte) ([]byte, bool) {
	lo, hi := findValue(m.Rand, b)
	if lo == hi {
		return b, false
	}
	switch m.Rand.Intn(8) {
	case 0:
		return surround(m, b, lo, hi, "[", "]", 1)
	case 1:
		return surround(m, b, lo, hi, "{\"a\":", "}", 1)
	case 2:
		if b[lo] != '"' {
			return surround(m, b, lo, hi, "\"", "\"", 1)
		}
		return replace(m, b, lo, hi, m.copyText(b, lo+1, hi-1))
	}
	if m.Rand.Chance(1, compoundIn) {
		return replace(m, b, lo, hi, m.compound())
	}
	return replaceText(m, b, lo, hi, jsonValues[m.Rand.Intn(len(jsonValues))])
}

const (
	// compoundIn: 1/compoundIn of the new values are objects or arrays of a few values, and 1/sortedIn of these have one value
	// of each type.
	compoundIn = 4
	sortedIn   = 3
	// maxMembers is how many values it has at most.
	maxMembers = 6
)

// scalars are simple values by type.
var scalars = [...][]string{{"null"}, {"true", "false"}, {"0", "1", "-1", "0.5"}, {"\"\"", "\"a\"", "\"1\""}}

// compound returns an array or an object of simple values. A target that checks the types of all members of an object shows
// nothing new until the last one is right.
func (m *Material) compound() []byte {
	object, sorted, n := m.Rand.Bool(), m.Rand.Chance(1, sortedIn), len(scalars)
	if !sorted {
		n = 1 + m.Rand.Intn(maxMembers)
	}
	text := append(m.held[:0], '[')
	for i := range n {
		if i > 0 {
			text = append(text, ',')
		}
		if object {
			text = append(text, '"', 'a'+byte(i), '"', ':')
		}
		kind := i
		if !sorted {
			kind = m.Rand.Intn(len(scalars))
		}
		text = append(text, scalars[kind][m.Rand.Intn(len(scalars[kind]))]...)
	}
	if object {
		text[0] = '{'
		return append(text, '}')
	}
	return append(text, ']')
}

// copyText returns a copy of b[lo:hi] that stays while b changes, until the next call. It is cut if it is long.
func (m *Material) copyText(b []byte, lo, hi int) []byte {
	return m.held[:copy(m.held[:], b[lo:max(lo, hi)])]
}

// jsonSplice puts a value of the partner, or another one of the document, in the place of a value, or adds it as one
// more element.
func jsonSplice(m *Material, b []byte) ([]byte, bool) {
	e, ok := findElement(m.Rand, b)
	if !ok {
		return b, false
	}
	from := m.buffer()
	own := len(from) == 0 || m.Rand.Chance(1, 4)
	if own {
		from = b
	}
	s, ok := findElement(m.Rand, from)
	if !ok {
		return b, false
	}
	if m.Rand.Bool() { // with its key, if it has one
		s.value = s.lo
	}
	value := from[s.value:s.hi]
	if own {
		value = m.copyText(from, s.value, s.hi)
	}
	switch {
	case m.Rand.Bool() && len(value) < m.room(b):
		b, m.at = openGap(b, e.hi, len(value)+1), e.hi
		b[e.hi] = ','
		copy(b[e.hi+1:], value)
		return b, true
	case s.value == s.lo && s.key > s.lo:
		return replace(m, b, e.lo, e.hi, value)
	}
	return replace(m, b, e.value, e.hi, value)
}

// jsonKeys are keys that some reader handles in its own way.
var jsonKeys = [...]string{"", "__proto__", "constructor", "$ref", "$schema", "@type", "id", "type", "a.b", "a/b", "0", "-", "*", "\\u0061"}

// jsonKey gives a member another key, or adds a member like it with another key.
func jsonKey(m *Material, b []byte) ([]byte, bool) {
	start, end, value := findKey(m.Rand, b)
	if start == end {
		return b, false
	}
	lo, hi, add := start+1, end-1, false
	switch c := m.Rand.Intn(8); {
	case c == 0 && lo < hi:
		return toggleLetter(m, b, lo, hi)
	case c < 3: // behind it, so that what comes before stays where it is
		last := valueEnd(b, value)
		n := last - start + 1
		if add = last > value && n <= m.room(b); add {
			b = openGap(b, last, n)
			b[last] = ','
			copy(b[last+1:last+n], b[start:last])
			lo, hi = lo+n, hi+n
		}
	}
	b, ok := replace(m, b, lo, hi, m.newKey(b))
	m.at = lo
	return b, ok || add
}

// toggleLetter changes the case of one letter of b[lo:hi]: encoding/json and others ignore case in keys.
func toggleLetter(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	at := lo + m.Rand.Intn(hi-lo)
	if classes[b[at]]&letter == 0 {
		return b, false
	}
	b[at] ^= caseBit
	return b, true
}

// newKey returns a key without quotes: mostly a token, as the tags of structures are, or one of the partner or of the
// document itself.
func (m *Material) newKey(b []byte) []byte {
	c := m.Rand.Intn(6)
	if c < 3 {
		if t := m.token(); len(t) > 0 {
			if t[0] == '"' && t[len(t)-1] == '"' && len(t) > 1 {
				t = t[1 : len(t)-1]
			}
			return t
		}
	}
	if c == 3 {
		other := m.buffer()
		if lo, hi, _ := findKey(m.Rand, other); lo < hi {
			return other[lo+1 : hi-1]
		}
	}
	if c == 4 {
		if lo, hi, _ := findKey(m.Rand, b); lo < hi {
			return m.copyText(b, lo+1, hi-1)
		}
	}
	s := jsonKeys[m.Rand.Intn(len(jsonKeys))]
	return m.held[:copy(m.held[:], s)]
}

// jsonNest wraps a value into arrays or objects, as many as there is room for now and then.
func jsonNest(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 || m.room(b) == 0 {
		return b, false
	}
	pre, post := "[", "]"
	switch m.Rand.Intn(4) {
	case 0:
		pre, post = "{\"a\":", "}"
	case 1:
		return nestMember(m, b)
	}
	lo, hi := findValue(m.Rand, b)
	if lo == hi {
		return b, false
	}
	return surround(m, b, lo, hi, pre, post, pickLevels(m.Rand, m.room(b)))
}

// nestMember puts a member into the object that is its value, again and again: "k":v becomes "k":{"k":{"k":v}}.
func nestMember(m *Material, b []byte) ([]byte, bool) {
	lo, hi, value := findKey(m.Rand, b)
	end := valueEnd(b, value)
	if lo == hi || value == end {
		return b, false
	}
	key := m.copyText(b, lo, value)
	count := m.room(b) / (len(key) + 2)
	if count == 0 {
		return b, false
	}
	count = pickLevels(m.Rand, count)
	b = openGap(b, end, count)
	fill(b[end:end+count], '}')
	n := (len(key) + 1) * count
	b, m.at = openGap(b, value, n), value
	for at := value; at < value+n; {
		b[at] = '{'
		at += 1 + copy(b[at+1:], key)
	}
	return b, true
}

// jsonEscapes are ways to write a character in a string, right and wrong ones.
var jsonEscapes = [...]string{
	"\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\u001f", "\\u0022", "\\u005c", "\\u2028", "\\uFFFF",
	"\\ud83d\\ude00", "\\ud800", "\\udc00", "\\udc00\\ud800", "\\ud800x", "\\ud800\\n", "\\ud800\\u0041", "\\u", "\\u12", "\\u12g4",
	"\\U0041", "\\x41", "\\'", "\\a", "\\0", "\\", "\n", "\t", "\x00", "\x1f", "\x7f", "\xff", "\xed\xa0\x80", "\u2028", "<", "&",
}

// jsonEscape inserts an escape into a string, or writes a character of it as one.
func jsonEscape(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	lo := seek(m.Rand, b, quote)
	if lo < 0 {
		return b, false
	}
	end := quotedEnd(b, lo)
	if end == lo {
		return b, false
	}
	at := lo + 1 + m.Rand.Intn(end-lo-1)
	if b[at-1] == '\\' {
		at--
	}
	if m.Rand.Bool() || at == end-1 || b[at] >= 0x80 || b[at] == '\\' {
		return replaceText(m, b, at, at, jsonEscapes[m.Rand.Intn(len(jsonEscapes))])
	}
	const digits = "0123456789abcdefABCDEF"
	lower := int(b[at] & 15)
	if lower > 9 && m.Rand.Bool() {
		lower += 6
	}
	text := [...]byte{'\\', 'u', '0', '0', digits[b[at]>>4], digits[lower]}
	return replace(m, b, at, at+1, text[:])
}

// laxForms are texts that dialects of JSON allow between values, and texts that none allows.
var laxForms = [...]string{",", ":", "//\n", "/**/", "/*", "#\n", "\ufeff", "\x00", "\v", "\u00a0", "\"", "}", "]", "}}", "\n\n{}", "x", ";", "\x1e"}

// jsonLax inserts such a text before or behind a value.
func jsonLax(m *Material, b []byte) ([]byte, bool) {
	lo, at := findValue(m.Rand, b)
	if lo == at {
		return b, false
	}
	if m.Rand.Chance(1, 4) {
		at = lo
	}
	return replaceText(m, b, at, at, laxForms[m.Rand.Intn(len(laxForms))])
}

package mutate

// charClasses are the groups of characters that formats are made of. A group is picked before a member, so that a
// bracket is as likely as a letter.
var charClasses = [...]string{
	"0123456789",
	"abcdefghijklmnopqrstuvwxyz_",
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	" \t\r\n\v\f",
	"()[]{}<>",
	"\"'`",
	"+-*/%=^!~?|&",
	".,:;#@$\\",
	"\x00\x01\x07\x08\x1b\x7f",
}

func (m *Material) char() byte {
	s := charClasses[m.Rand.Intn(len(charClasses))]
	return s[m.Rand.Intn(len(s))]
}

// insertChar inserts an ASCII character of a random class.
func insertChar(m *Material, b []byte) ([]byte, bool) {
	if m.room(b) == 0 {
		return b, false
	}
	at, c := m.Rand.Intn(len(b)+1), m.char()
	b, m.at = openGap(b, at, 1), at
	b[at] = c
	return b, true
}

// replaceChar changes a character to another one: of its own class half of the time, which tends to keep the syntax.
func replaceChar(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := m.Rand.Intn(len(b))
	c := m.char()
	if m.Rand.Bool() {
		c = m.sibling(b[at])
	}
	if b[at] == c {
		return b, false
	}
	b[at] = c
	return b, true
}

// sibling returns a random member of the class of c, and c itself if it has none.
func (m *Material) sibling(c byte) byte {
	for i := range charClasses {
		s := charClasses[i]
		for j := range len(s) {
			if s[j] == c {
				return s[m.Rand.Intn(len(s))]
			}
		}
	}
	return c
}

// caseBit is the bit in which the two cases of an ASCII letter differ.
const caseBit = 'a' ^ 'A'

// toggleCase changes the case of a letter, or of each letter of a word.
func toggleCase(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := m.seek(b, letter)
	if at < 0 {
		return b, false
	}
	if m.Rand.Bool() {
		b[at] ^= caseBit
		return b, true
	}
	lo, hi := wordAt(b, at)
	for i := lo; i < hi; i++ {
		if classes[b[i]]&letter != 0 {
			b[i] ^= caseBit
		}
	}
	return b, true
}

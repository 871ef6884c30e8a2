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

func pickChar(r *Rand) byte {
	s := charClasses[r.Intn(len(charClasses))]
	return s[r.Intn(len(s))]
}

// insertChar inserts an ASCII character of a random class.
func insertChar(m *Material, b []byte) ([]byte, bool) {
	if m.room(b) == 0 {
		return b, false
	}
	at, c := m.Rand.Intn(len(b)+1), pickChar(m.Rand)
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
	c := pickChar(m.Rand)
	if m.Rand.Bool() {
		c = siblingOf(m.Rand, b[at])
	}
	if b[at] == c {
		return b, false
	}
	b[at] = c
	return b, true
}

// siblingOf returns a random member of the class of c, and c itself if it has none.
func siblingOf(r *Rand, c byte) byte {
	for i := range charClasses {
		s := charClasses[i]
		for j := range len(s) {
			if s[j] == c {
				return s[r.Intn(len(s))]
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
	at := seek(m.Rand, b, letter)
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

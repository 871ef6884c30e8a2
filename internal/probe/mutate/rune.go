package mutate

// runes are byte sequences that code for text often handles wrongly.
var runes = [...]string{
	"\xed\xa0\x80", "\xed\xbf\xbf", // surrogates, not allowed in UTF-8
	"\xc0\x80", "\xe0\x80\xaf", "\xf0\x80\x80\x80", // overlong forms of NUL and slash
	"\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", // beyond U+10FFFF
	"\x80", "\xff", "\xfe", "\xe2\x82", "\xf0\x9f", // stray and cut-off bytes
	"\ufffd", "\ufeff", "\xff\xfe", // replacement character and byte order marks
	"\u0301", "\u20dd", "\ufe0f", "\u200d", // combining marks, variation selector, joiner
	"\u200b", "\u00a0", "\u3000", "\u0085", "\u2028", "\u00ad", // blanks and line ends that are none in ASCII
	"\u202e", "\u200f", "\u05d0", // right to left
	"İ", "ı", "ſ", "\u212a", "ß", "ẞ", "ς", "Å", "ǆ", // lengths that change with case; folding to ASCII
	"\x00", "\u007f", // NUL, DEL
	"\uffff", "\U00010000", "\U0010ffff", "\ud7ff", "\ue000", // ends of planes and around the surrogates
	"é", "e\u0301", "世", "🏳\ufe0f\u200d🌈", // two forms of one letter, wide, joined
	"٣", "Ⅷ", "½", // digits and numbers that are not ASCII
}

// insertRune inserts one of the sequences.
func insertRune(m *Material, b []byte) ([]byte, bool) {
	at := m.Rand.Intn(len(b) + 1)
	return replaceText(m, b, at, at, runes[m.Rand.Intn(len(runes))])
}

// replaceRune replaces one character, or one byte where there is no valid UTF-8, by one of the sequences.
func replaceRune(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := m.Rand.Intn(len(b))
	for back := 0; at > 0 && back < 3 && b[at]&0xc0 == 0x80; back++ {
		at--
	}
	end := at + max(runeLen(b[at:]), 1)
	return replaceText(m, b, at, end, runes[m.Rand.Intn(len(runes))])
}

// replaceText is replace for constant text, which is short: it goes through an array so that nothing is allocated.
func replaceText(m *Material, b []byte, lo, hi int, s string) ([]byte, bool) {
	var text [32]byte
	return replace(m, b, lo, hi, text[:copy(text[:], s)])
}

package mutate

// codePoints are ranges that code for text treats alike. A range is picked before a member, and half of the time it is the
// first or last one.
var codePoints = [...]struct{ lo, hi rune }{
	{0, 0x1f},                     // control characters
	{0x80, 0x9f},                  // more of them
	{0xa0, 0xff},                  // Latin-1: one byte elsewhere
	{0x100, 0x24f},                // letters whose cases have different lengths
	{0x300, 0x36f},                // combining
	{0x370, 0x52f},                // Greek and Cyrillic, with final sigma
	{0x590, 0x6ff},                // right to left, with digits
	{0x7fe, 0x801},                // two or three bytes
	{0x1f00, 0x1fff},              // folds to several letters
	{0x2000, 0x206f},              // blanks, joiners, line ends, directions
	{0x3000, 0x30ff},              // wide
	{0xac00, 0xd7ff},              // composed; the last one before the surrogates
	{0xd800, 0xdfff},              // surrogates, which UTF-8 does not allow
	{0xe000, 0xf8ff},              // private use
	{0xfb00, 0xfdff},              // ligatures, and code points that are none
	{0xff01, 0xff5e},              // wide forms of ASCII
	{0xfff0, 0x1000f},             // the end of the plane: three or four bytes
	{0x1d400, 0x1d7ff},            // letters and digits that normalise to ASCII
	{0x1f1e6, 0x1f9ff},            // flags and emoji, which go together
	{0xe0000, 0xe007f},            // tags, invisible
	{0x10fff0, 0x110010},          // the last ones, and beyond
	{0x110000, 0x1fffff},          // beyond, as far as four bytes go
	{0, 0x10ffff}, {0x80, 0xffff}, // any
}

// putRune encodes c like UTF-8 in width bytes. It does so for surrogates, and for numbers beyond the last code point or
// too small for the width, too.
func putRune(text *[4]byte, c rune, width int) []byte {
	if width == 1 {
		text[0] = byte(c)
		return text[:1]
	}
	for i := width - 1; i > 0; i-- {
		text[i] = 0x80 | byte(c&0x3f)
		c >>= 6
	}
	text[0] = byte(uint(0xf00)>>width) | byte(c) // as many ones as there are bytes
	return text[:width]
}

// runeWidth returns how many bytes UTF-8 needs.
func runeWidth(c rune) int {
	switch {
	case c < 0x80:
		return 1
	case c < 0x800:
		return 2
	case c < 0x10000:
		return 3
	}
	return 4
}

// overlongIn: 1/overlongIn of the runes are written with a byte more than they need.
const overlongIn = 16

// anyRune inserts any code point, or puts it in the place of a character.
func anyRune(m *Material, b []byte) ([]byte, bool) {
	r := &codePoints[m.Rand.Intn(len(codePoints))]
	c := r.lo
	switch m.Rand.Intn(4) {
	case 0:
	case 1:
		c = r.hi
	default:
		c += rune(m.Rand.Intn(int(r.hi-r.lo) + 1))
	}
	width := runeWidth(c)
	if width < 4 && m.Rand.Chance(1, overlongIn) {
		width++
	}
	lo := m.Rand.Intn(len(b) + 1)
	hi := lo
	if lo < len(b) && m.Rand.Bool() {
		lo, hi = runeAround(b, lo)
	}
	var text [4]byte
	return replace(m, b, lo, hi, putRune(&text, c, width))
}

// runeAround returns the range of the character that the byte at position at belongs to: of one byte where there is no
// valid UTF-8.
func runeAround(b []byte, at int) (lo, hi int) {
	lo = at
	for back := 0; lo > 0 && back < 3 && b[lo]&0xc0 == 0x80; back++ {
		lo--
	}
	if n := runeLen(b[lo:]); lo+n > at {
		return lo, lo + n
	}
	return at, at + 1
}

// cutRune removes a part of a character of several bytes, or all that follows a part of it: what reads in blocks or
// limits a length in bytes does that to text.
func cutRune(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := seek(m.Rand, b, high)
	if at < 0 {
		return b, false
	}
	lo, hi := runeAround(b, at)
	if hi-lo < 2 {
		return b, false
	}
	mid := lo + 1 + m.Rand.Intn(hi-lo-1)
	switch m.Rand.Intn(3) {
	case 0:
		return replace(m, b, lo, mid, nil)
	case 1:
		return replace(m, b, mid, hi, nil)
	}
	return replace(m, b, mid, len(b), nil)
}

// folds are characters that some comparison takes for the ASCII letter or sign: by simple case folding, as in package
// strings and in encoding/json, by other mappings of case, or by normalisation.
var folds = [...]struct {
	ascii byte
	other string
}{
	{'k', "\u212a"},
	{'s', "ſ"},
	{'i', "ı"},
	{'i', "İ"},
	{'a', "ª"},
	{'s', "ß"},
	{'1', "¹"},
	{'2', "²"},
	{'/', "\u2044"},
	{'-', "\u2212"},
	{'.', "\u2024"},
	{'\'', "’"},
	{' ', "\u00a0"},
}

// foldRune replaces a letter by one that folds to it, or any character of ASCII by its wide form.
func foldRune(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	if m.Rand.Chance(1, 4) {
		at := m.Rand.Intn(len(b))
		if b[at] <= ' ' || b[at] > '~' {
			return b, false
		}
		var text [4]byte
		return replace(m, b, at, at+1, putRune(&text, 0xff01+rune(b[at]-'!'), 3))
	}
	f := &folds[m.Rand.Intn(len(folds))]
	if m.Rand.Bool() {
		f = &folds[m.Rand.Intn(foldedLetters)]
	}
	at := m.Rand.Intn(len(b))
	for steps := min(len(b), wordReach); steps > 0; steps-- {
		if c := b[at]; c == f.ascii || c^caseBit == f.ascii && classes[c]&letter != 0 {
			return replaceText(m, b, at, at+1, f.other)
		}
		if at++; at == len(b) {
			at = 0
		}
	}
	return b, false
}

// foldedLetters is how many of the folds, the first ones, are letters that Go itself folds or changes.
const foldedLetters = 4

package mutate

// class is a set of properties of one byte.
type class uint32

const (
	digit class = 1 << iota
	lower
	upper
	blank
	opener // an opening bracket
	quote
	newline
	printable // ASCII that occurs in text files
	delimiter // what separates or encloses something
	operation // what operators of programming languages consist of
	element   // what comes before an element of an array or a member of an object in JSON
	jsonSep   // what comes before a value in JSON
	jsonMark  // what begins or ends a value in JSON, but for numbers and names
	colon
	endOfScalar // what may follow a number or a name in JSON
	bracket
	high // not ASCII
)

const letter = lower | upper

var classes = makeClasses()

func makeClasses() (t [256]class) {
	for c := range 128 {
		switch {
		case c >= '0' && c <= '9':
			t[c] = digit
		case c >= 'a' && c <= 'z':
			t[c] = lower
		case c >= 'A' && c <= 'Z':
			t[c] = upper
		}
		if c >= ' ' && c < 0x7f {
			t[c] |= printable
		}
		t[c+128] = high
	}
	mark := func(s string, c class) {
		for i := range len(s) {
			t[s[i]] |= c
		}
	}
	mark(" \t\r\n", blank|printable)
	mark("([{<", opener)
	mark("\"'`", quote)
	mark("\n", newline)
	mark("()[]{}<>\"'`,;:", delimiter)
	mark("+-*/%=!&|^~?:.<>", operation)
	mark("[{,", element)
	mark("[,:", jsonSep)
	mark("{}[]\"", jsonMark)
	mark(":", colon)
	mark(" \t\r\n,:]}\"", endOfScalar)
	mark("()[]{}", bracket)
	return t
}

// wordClass maps bytes to the kinds of tokens that text consists of: letters, digits, '_' and non-ASCII make words,
// blanks make blanks, and every other byte is a token of its own kind.
func wordClass(c byte) byte { return wordClasses[c] }

var wordClasses = makeWordClasses()

func makeWordClasses() (t [256]byte) {
	for i := range t {
		c := byte(i)
		t[i] = c
		switch {
		case classes[c]&(letter|digit) != 0 || c == '_' || c >= 0x80:
			t[i] = 'a'
		case classes[c]&blank != 0:
			t[i] = ' '
		}
	}
	return t
}

// Limits of searches in bytes: an operator must not take longer because an input is long. They cover a line, a word and a nested
// object of the usual sizes.
const (
	seekReach = 256
	lineReach = 512
	wordReach = 64
	spanReach = 2048
)

// A buffer of textMinLen bytes or more is text if at most one byte in textOddIn is not: AFL++ has the same limits. In
// shorter buffers a few letters are often there by chance.
const (
	textMinLen = 12
	textOddIn  = 100
)

// textWindow is how many bytes of the head, middle and tail of a long buffer isText reads.
const textWindow = 128

// isText reports whether b looks like text.
func isText(b []byte) bool {
	n := len(b)
	if n < textMinLen {
		return false
	}
	if n <= 3*textWindow {
		return odd(b, 0, n, n/textOddIn) >= 0
	}
	left := odd(b, 0, textWindow, 3*textWindow/textOddIn)
	if left >= 0 {
		mid := n/2 - textWindow/2
		left = odd(b, mid, mid+textWindow, left)
	}
	return left >= 0 && odd(b, n-textWindow, n, left) >= 0
}

// odd subtracts from allowed the number of bytes of b[lo:hi] that are neither printable ASCII nor part of a UTF-8
// sequence. It stops when the result is negative. The ends of the range may be inside of a sequence.
func odd(b []byte, lo, hi, allowed int) int {
	for skip := 0; lo > 0 && skip < 3 && b[lo]&0xc0 == 0x80; skip++ {
		lo++
	}
	for i := lo; i < hi && allowed >= 0; {
		if i+8 <= hi && printableWord(load8(b[i:])) {
			i += 8
			continue
		}
		if classes[b[i]]&printable != 0 {
			i++
			continue
		}
		k := runeLen(b[i:])
		if k < 2 { // control characters, and bytes outside of any sequence
			allowed, k = allowed-1, 1
		}
		i += k
	}
	return allowed
}

// printableWord reports whether all eight bytes are in the range from blank to tilde: no high bit is set, adding the
// distance from blank to 0x80 sets them all, and adding one sets none.
func printableWord(w uint64) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	return w&highs == 0 && (w+ones)&highs == 0 && (w+(0x80-' ')*ones)&highs == highs
}

// validUTF8 reports whether b is valid UTF-8. Of long buffers it looks at the head only.
func validUTF8(b []byte) bool {
	head := b[:min(len(b), 3*textWindow)]
	for i := 0; i < len(head); {
		k := runeLen(b[i:])
		if k == 0 {
			return false
		}
		i += k
	}
	return true
}

// runeLen returns the length of the valid UTF-8 sequence at the start of b, which must not be empty, and 0 if there is
// none. The limits on the second byte exclude overlong forms, surrogates and what is beyond U+10FFFF (RFC 3629).
func runeLen(b []byte) int {
	c := b[0]
	if c < 0x80 {
		return 1
	}
	n, lo, hi := 0, byte(0x80), byte(0xbf)
	switch {
	case c >= 0xc2 && c <= 0xdf:
		n = 2
	case c >= 0xe0 && c <= 0xef:
		n = 3
	case c >= 0xf0 && c <= 0xf4:
		n = 4
	}
	switch c {
	case 0xe0:
		lo = 0xa0
	case 0xed:
		hi = 0x9f
	case 0xf0:
		lo = 0x90
	case 0xf4:
		hi = 0x8f
	}
	if n == 0 || len(b) < n || b[1] < lo || b[1] > hi {
		return 0
	}
	for _, c := range b[2:n] {
		if c&0xc0 != 0x80 {
			return 0
		}
	}
	return n
}

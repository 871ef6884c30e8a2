package mutate

import "math/bits"

// A decimal number with more digits than fit into 64 bits is edited as text only.
const maxDigits = 19

// asciiNumber changes a decimal number in text, mostly its value, else its form.
func asciiNumber(m *Material, b []byte) ([]byte, bool) {
	lo, hi := findNumber(m.Rand, b)
	if lo == hi {
		return b, false
	}
	if hi-lo <= maxDigits && m.Rand.Chance(valueEditsOf16, 16) {
		return editValue(m, b, lo, hi)
	}
	return numberForms[m.Rand.Intn(len(numberForms))](m, b, lo, hi)
}

// valueEditsOf16 is how many of 16 changes of a number change its value: most bugs are in what the caller of a parser does with a
// number, some in the parser.
const valueEditsOf16 = 12

// findNumber returns the range of the digits of some number.
func findNumber(r *Rand, b []byte) (lo, hi int) {
	if len(b) == 0 {
		return 0, 0
	}
	lo = seek(r, b, digit)
	if lo < 0 {
		return 0, 0
	}
	hi = lo
	for end := min(lo+wordReach, len(b)); hi < end && classes[b[hi]]&digit != 0; {
		hi++
	}
	for end := max(lo-wordReach, 0); lo > end && classes[b[lo-1]]&digit != 0; {
		lo--
	}
	return lo, hi
}

// valueEdits are functions of the old value. The small steps come twice: a counter that is off by one is the most
// common of all.
var valueEdits = [...]func(r *Rand, v uint64) uint64{
	func(_ *Rand, v uint64) uint64 { return v + 1 },
	func(_ *Rand, v uint64) uint64 { return v + 1 },
	func(_ *Rand, v uint64) uint64 { return v - 1 },
	func(_ *Rand, v uint64) uint64 { return v - 1 },
	func(r *Rand, v uint64) uint64 { return v + step(r) },
	func(_ *Rand, v uint64) uint64 { return v * 2 },
	func(_ *Rand, v uint64) uint64 { return v / 2 },
	func(r *Rand, v uint64) uint64 { return interesting(r, 8<<r.Intn(4)) },
	func(r *Rand, v uint64) uint64 { return uint64(1)<<r.Intn(64) + uint64(r.Intn(3)) - 1 },
	func(r *Rand, _ uint64) uint64 { return r.LogUniform(64) },
	upToSquare,
}

// upToSquare returns a random number of up to twice as many bits as v has.
func upToSquare(r *Rand, v uint64) uint64 { return r.LogUniform(min(2*bits.Len64(v)+1, 64)) }

// editValue replaces the number by another value. A result that is negative as a signed number is written with a minus
// half of the time.
func editValue(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	var v uint64
	for _, c := range b[lo:hi] {
		v = v*10 + uint64(c-'0')
	}
	v = valueEdits[m.Rand.Intn(len(valueEdits))](m.Rand, v)
	negative := int64(v) < 0 && m.Rand.Bool()
	if negative {
		v = -v
	}
	var text [maxDigits + 2]byte
	at := putDigits(text[:], v)
	if negative {
		at--
		text[at] = '-'
	}
	return replace(m, b, lo, hi, text[at:])
}

// putDigits writes a number at the end of text and returns where it begins.
func putDigits(text []byte, v uint64) (at int) {
	for at = len(text); ; v /= 10 {
		at--
		text[at] = byte('0' + v%10)
		if v < 10 {
			return at
		}
	}
}

// numberForms change how the number b[lo:hi] is written.
var numberForms = [...]func(m *Material, b []byte, lo, hi int) ([]byte, bool){
	negateNumber, negateNumber, dropDigit, addDigit, addDigit, putAffix, putAffix, putHugeNumber,
}

func negateNumber(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	if lo > 0 && b[lo-1] == '-' {
		return cut(b, lo-1, lo), true
	}
	return replace(m, b, lo, lo, []byte("-"))
}

func dropDigit(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	at := lo + m.Rand.Intn(hi-lo)
	return cut(b, at, at+1), true
}

func addDigit(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	if m.room(b) == 0 {
		return b, false
	}
	at := lo + m.Rand.Intn(hi-lo+1)
	b = openGap(b, at, 1)
	b[at] = byte('0' + m.Rand.Intn(10))
	return b, true
}

// affixes turn an integer into another form: other bases, fractions, exponents out of range, separators.
var affixes = [...]struct {
	text  string
	front bool
}{
	{"0", true},
	{"0x", true},
	{"0b", true},
	{"0o", true},
	{"+", true},
	{"0.", true},
	{".", true},
	{".5", false},
	{".", false},
	{"e1", false},
	{"e308", false},
	{"e400", false},
	{"e-400", false},
	{"_0", false},
	{"000000000000000000000", false},
}

func putAffix(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	a := &affixes[m.Rand.Intn(len(affixes))]
	at := hi
	if a.front {
		at = lo
	}
	return replaceText(m, b, at, at, a.text)
}

// hugeNumbers are at or beyond the limits of the types that numbers get parsed into.
var hugeNumbers = [...]string{
	"127", "255", "256", "32767", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
	"9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
	"1e308", "1.7976931348623159e308", "5e-324", "NaN", "Infinity", "0x7fffffff",
}

func putHugeNumber(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	return replaceText(m, b, lo, hi, hugeNumbers[m.Rand.Intn(len(hugeNumbers))])
}

package mutate

// numberForm writes a number in another way: another base, with a fraction or an exponent, or beyond what fits.
func numberForm(m *Material, b []byte) ([]byte, bool) {
	lo, hi := findNumber(m.Rand, b)
	if lo == hi {
		return b, false
	}
	switch m.Rand.Intn(4) {
	case 0:
		return overflow(m, b, hi)
	case 1:
		if hi-lo <= maxDigits {
			return otherBase(m, b, lo, hi)
		}
	case 2:
		return replaceText(m, b, lo, hi, floatForms[m.Rand.Intn(len(floatForms))])
	}
	lo, hi = literalAround(b, lo, hi) // with its sign
	return replaceText(m, b, lo, hi, literals[m.Rand.Intn(len(literals))])
}

// floatForms are numbers with a fraction or an exponent, most of them valid somewhere only.
var floatForms = [...]string{
	"1.5", ".5", "5.", "1e9", "1E9", "1e+9", "1e-9", "0.1", "0.30000000000000004", "1.0", "1e0", "0e1", "1e", "1e+", "1.e1",
	"1.5.5", "0x1p-2", "0x1p1023", "1e-324", "4.9e-324", "2.2250738585072011e-308", "1_000.5", "1,5", "1e1000000000",
}

// literals take the place of a number and of its sign.
var literals = [...]string{
	"-0", "-0.0", "0", "-1", "+1", "--1", "-", "1e308", "-1e308", "1.8e308", "1e400", "-1e400", "1e-400", "00", "007", "-01",
	"2147483648", "-2147483649", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"18446744073709551616", "340282366920938463463374607431", "0x", "0x1G", "0xffffffffffffffff", "0b2", "0o8", "1i", "1u",
	"NaN", "-Inf", "1/0", "1e1_0",
}

// overflowDigits are how many digits to append: so many that a number of 8 to 64 bits or a float overflows.
var overflowDigits = [...]int{3, 5, 10, 19, 20, 39, 309}

// overflow appends digits.
func overflow(m *Material, b []byte, at int) ([]byte, bool) {
	n := min(overflowDigits[m.Rand.Intn(len(overflowDigits))], m.room(b))
	if n == 0 {
		return b, false
	}
	c := byte('0')
	if m.Rand.Bool() {
		c += byte(m.Rand.Intn(10))
	}
	b, m.at = openGap(b, at, n), at
	fill(b[at:at+n], c)
	return b, true
}

// bases are prefixes and the bits per digit that go with them.
var bases = [...]struct {
	prefix string
	bits   int
}{{"0x", 4}, {"0x", 4}, {"0X", 4}, {"", 4}, {"0o", 3}, {"0", 3}, {"0b", 1}}

// otherBase writes the value of the digits b[lo:hi] in another base.
func otherBase(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	const digits = "0123456789abcdef"
	v := uint64(0)
	for _, c := range b[lo:hi] {
		v = v*10 + uint64(c-'0')
	}
	base := &bases[m.Rand.Intn(len(bases))]
	var text [2 + 64]byte
	at := len(text)
	for {
		at--
		text[at] = digits[v&(1<<base.bits-1)]
		if v >>= base.bits; v == 0 {
			break
		}
	}
	at -= len(base.prefix)
	copy(text[at:], base.prefix)
	return replace(m, b, lo, hi, text[at:])
}

package mutate

import (
	"math"

	"github.com/gnaw-fuzz/gnaw/input"
)

// exactPowers are the powers of ten that a float64 has without rounding. The quotient of an integer of up to 53 bits and one of
// them is rounded as a compiler rounds the literal.
var exactPowers = [...]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// literal is a number as the dictionary writes it.
type literal struct {
	digits   uint64 // without the decimal point
	exponent int
	negative bool
}

// readLiteral reads a decimal number. It reports false for any other text, and for what does not fit into 64 bits.
func readLiteral(t []byte) (l literal, ok bool) {
	if len(t) > 0 && (t[0] == '-' || t[0] == '+') {
		l.negative, t = t[0] == '-', t[1:]
	}
	point := false
	for i, c := range t {
		switch {
		case c >= '0' && c <= '9':
			if l.digits > (math.MaxUint64-9)/10 {
				return l, false
			}
			l.digits, ok = l.digits*10+uint64(c-'0'), true
			if point {
				l.exponent--
			}
		case c == '.' && !point:
			point = true
		case c|caseBit == 'e' && ok:
			return l, l.readExponent(t[i+1:])
		default:
			return l, false
		}
	}
	return l, ok
}

// readExponent adds the digits behind the "e".
func (l *literal) readExponent(t []byte) bool {
	negative, n := false, 0
	if len(t) > 0 && (t[0] == '-' || t[0] == '+') {
		negative, t = t[0] == '-', t[1:]
	}
	for _, c := range t {
		if c < '0' || c > '9' || n > 400 {
			return false
		}
		n = n*10 + int(c-'0')
	}
	if negative {
		n = -n
	}
	l.exponent += n
	return len(t) > 0
}

// float returns the nearest number, for all literals that programs have; of others, one that is near.
func (l *literal) float() float64 {
	f, e := float64(l.digits), l.exponent
	const last = len(exactPowers) - 1
	for ; e > last; e -= last {
		f *= exactPowers[last]
	}
	for ; e < -last; e += last {
		f /= exactPowers[last]
	}
	if e < 0 {
		f /= exactPowers[-e]
	} else {
		f *= exactPowers[e]
	}
	if l.negative {
		return -f
	}
	return f
}

// tokenTries is how many tokens are looked at for one that is a number.
const tokenTries = 4

// floatToken takes a number of the dictionary. Hooks do not report comparisons of floats, so only the words of the program show
// what it compares them with.
func floatToken(m *Material, a input.Args, i int) uint64 {
	for range tokenTries {
		if l, ok := readLiteral(m.token()); ok {
			return a[i].Kind.FloatBits(l.float())
		}
	}
	return a[i].Bits
}

// intToken takes an integer of the dictionary.
func intToken(m *Material, a input.Args, i int) uint64 {
	for range tokenTries {
		if l, ok := readLiteral(m.token()); ok && l.exponent == 0 {
			if l.negative {
				return -l.digits
			}
			return l.digits
		}
	}
	return a[i].Bits
}

package minimize

import (
	"math"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/input"
)

// simpler reports whether a value is simpler than another one of its kind. It is a strict order without endless
// descents, which is why the search ends.
func simpler(a, b *input.Value) bool {
	switch {
	case isBuffer(a):
		return simplerData(a.Data, b.Data)
	case isFloat(a):
		return simplerFloat(a, b)
	case isInt(a):
		ma, mb := magnitude(a), magnitude(b)
		return ma < mb || ma == mb && !negative(a) && negative(b)
	}
	return a.Bits < b.Bits
}

// simplerData: shorter, or as long with a simpler byte at the first difference.
func simplerData(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	for i, c := range a {
		if c != b[i] {
			return ranks[c] < ranks[b[i]]
		}
	}
	return false
}

// plainest are the bytes that others are replaced by, the simplest first. They are readable, have no meaning in most
// formats, and stand for a digit, a letter and a blank. A zero byte comes last: it is simple but not readable.
var plainest = []byte{'0', 'a', ' ', 0}

// ranks order all bytes by simplicity: plain ones, then digits, letters, other printable characters, line ends and
// tabs, zero, and the rest.
var ranks = makeRanks()

func makeRanks() (ranks [256]uint8) {
	group := func(c int) int {
		switch {
		case c >= '0' && c <= '9':
			return 1
		case c >= 'a' && c <= 'z':
			return 2
		case c >= 'A' && c <= 'Z':
			return 3
		case c > ' ' && c < 0x7f:
			return 4
		case c == '\n' || c == '\t':
			return 5
		case c == 0:
			return 6
		}
		return 7
	}
	ranks['0'], ranks['a'], ranks[' '] = 0, 1, 2
	next := uint8(3)
	for g := 1; g <= 7; g++ {
		for c := range 256 {
			if group(c) == g && c != '0' && c != 'a' && c != ' ' {
				ranks[c] = next
				next++
			}
		}
	}
	return ranks
}

func isSigned(v *input.Value) bool { return v.Kind >= input.Int && v.Kind <= input.Int64 }

func negative(v *input.Value) bool { return isSigned(v) && int64(v.Bits) < 0 }

// magnitude returns the absolute value of an integer.
func magnitude(v *input.Value) uint64 {
	if negative(v) {
		return -v.Bits
	}
	return v.Bits
}

// simplerFloat: whole numbers, then others with few digits, then infinity, then NaN. Among whole numbers the one closer
// to zero is simpler, among others with the same number of digits the one closer to one in magnitude, and if only the
// signs differ the positive one. Whole numbers beyond 2^53 count as others: a float does not hold all their digits.
func simplerFloat(a, b *input.Value) bool {
	fa, fb := a.Float(), b.Float()
	class, cb := floatClass(a, fa), floatClass(b, fb)
	if class != cb {
		return class < cb
	}
	if fa != fa {
		return a.Bits < b.Bits // NaNs by their payload
	}
	aa, ab := math.Abs(fa), math.Abs(fb)
	if ea, eb := exponentSize(fa), exponentSize(fb); class != wholeClass && ea != eb {
		return ea < eb
	}
	if aa != ab {
		return aa < ab
	}
	return !math.Signbit(fa) && math.Signbit(fb)
}

// wholeLimit is the number up to which a float64 holds every whole number.
const wholeLimit = 1 << 53

// The classes of floats besides those with 1, 2, 3... significant digits.
const (
	wholeClass    = 0
	infiniteClass = 100
	nanClass      = 101
)

// exponentSize returns how far the float is from one, as a power of two.
func exponentSize(f float64) int {
	e := math.Ilogb(f)
	return max(e, -e)
}

func floatClass(v *input.Value, f float64) int {
	switch abs := math.Abs(f); {
	case f != f:
		return nanClass
	case math.IsInf(f, 0):
		return infiniteClass
	case abs <= wholeLimit && abs == math.Trunc(abs):
		return wholeClass
	}
	return digits(v, f)
}

// digits returns the number of significant decimal digits that the float needs.
func digits(v *input.Value, f float64) (n int) {
	var text [32]byte
	for _, c := range strconv.AppendFloat(text[:0], f, 'e', -1, v.Kind.Width()) {
		if c == 'e' {
			break
		}
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

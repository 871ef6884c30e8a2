package minimize

import (
	"bytes"
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Matter says which bytes of an argument matter: with another value the input does not show the behaviour any more. Each range has the
// offset of its first byte and that behind its last one. Ranges are in order and do not touch. A number matters as a whole, and has as
// many bytes as its type.
type Matter struct {
	Bytes    [][2]int // that matter
	Untested [][2]int // that a limit has kept from being tested
}

// Matters tests which bytes of an input matter, and returns one Matter for each argument. It replaces one byte or one number at a time, by
// up to four values, and asks o.Check about each; a byte matters if the answer is false for one of them. Two of the values are of the class
// of the byte, as digits are, and two are not; see [byteClass]. A number is replaced by its neighbors, by zero and by one of the
// other sign. Matters does not check the input itself. It uses the fields Check, MaxChecks and Deadline of o only. If Deadline returns true
// after Check has returned false, this answer does not count.
func Matters(a input.Args, o Options) []Matter {
	t := &matterTest{Options: o, args: a}
	list := make([]Matter, len(a))
	for i, v := range a {
		m := &list[i]
		if !v.Kind.IsBuffer() {
			m.note(0, (v.Kind.Width()+7)/8, t.try(i, otherNumbers(&v), func(v *input.Value, bits uint64) { v.Bits = bits }))
			continue
		}
		for at, c := range v.Data {
			m.note(at, at+1, t.try(i, otherBytes(c), func(v *input.Value, c uint64) {
				v.Data = bytes.Clone(v.Data)
				v.Data[at] = byte(c)
			}))
		}
	}
	return list
}

// verdict is what is known of a byte or a number.
type verdict uint8

const (
	untested verdict = iota
	matters
	free // the behaviour is the same with each value that was tried
)

// note adds bytes to the ranges that they belong to.
func (m *Matter) note(from, to int, v verdict) {
	list := &m.Bytes
	switch v {
	case free:
		return
	case untested:
		list = &m.Untested
	}
	if n := len(*list); n > 0 && (*list)[n-1][1] == from {
		(*list)[n-1][1] = to
		return
	}
	*list = append(*list, [2]int{from, to})
}

// matterTest is the state of one call of [Matters].
type matterTest struct {
	Options
	args   input.Args
	checks int // calls of Check
}

// try replaces a part of an argument by other values, as set does it, and says whether it matters.
func (t *matterTest) try(arg int, values []uint64, set func(v *input.Value, by uint64)) verdict {
	for _, by := range values {
		if t.MaxChecks > 0 && t.checks >= t.MaxChecks || t.late() {
			return untested
		}
		candidate := slices.Clone(t.args)
		set(&candidate[arg], by)
		t.checks++
		switch {
		case t.Check(candidate):
		case t.late():
			return untested
		default:
			return matters
		}
	}
	return free
}

// late reports whether the deadline has ended the test.
func (t *matterTest) late() bool { return t.Deadline != nil && t.Deadline() }

// otherBytes returns two bytes of the class of c, the next one and one that is half of the class away, and two of other classes: a letter or
// a digit, and one that no UTF-8 has, or zero.
func otherBytes(c byte) []uint64 {
	class := byteClass(c)
	var mates []uint64
	for b := c + 1; b != c; b++ {
		if byteClass(b) == class {
			mates = append(mates, uint64(b))
		}
	}
	letter, odd := uint64('q'), uint64(0xff)
	if class == 'a' {
		letter = '7'
	}
	if class == 0xf0 {
		odd = 0
	}
	return []uint64{mates[0], mates[len(mates)/2], letter, odd}
}

// byteClass returns the first byte of the class of a byte. The classes are digits, small letters, capital letters, white space, other
// printable ASCII, control characters, and of UTF-8 the bytes that continue a character and those that begin one of two, of three and of
// four bytes.
func byteClass(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	case c >= 'A' && c <= 'Z':
		return 'A'
	case c == ' ' || c >= '\t' && c <= '\r':
		return '\t'
	case c > ' ' && c <= '~':
		return '!'
	case c < ' ' || c == 0x7f:
		return 0
	case c < 0xc0:
		return 0x80
	case c < 0xe0:
		return 0xc0
	case c < 0xf0:
		return 0xe0
	}
	return 0xf0
}

// otherNumbers returns the bits of the numbers next to v, of zero, and of a number of the other sign or at the other end of the range. It
// leaves out v itself and what its kind does not have.
func otherNumbers(v *input.Value) (bits []uint64) {
	switch mask := ^uint64(0) >> (64 - v.Kind.Width()); {
	case isFloat(v):
		f := v.Float()
		bits = []uint64{v.Kind.FloatBits(f + 1), v.Kind.FloatBits(f - 1), 0, v.Kind.FloatBits(-f)}
	case isSigned(v):
		largest := mask >> 1
		bits = append(neighbors(v.Bits, ^largest, largest), 0, ^v.Bits)
	default:
		bits = append(neighbors(v.Bits, 0, mask), 0, ^v.Bits&mask)
	}
	return slices.DeleteFunc(bits, func(b uint64) bool { return b == v.Bits })
}

// neighbors returns the bits of the integers next to one, between the least and the largest one of its kind.
func neighbors(bits, least, largest uint64) (list []uint64) {
	if bits != largest {
		list = append(list, bits+1)
	}
	if bits != least {
		list = append(list, bits-1)
	}
	return list
}

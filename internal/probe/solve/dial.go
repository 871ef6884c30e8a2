package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// dial is a number in the input that can be set. Its positions are in ascending order: those of signed numbers are shifted
// so that the smallest number is zero.
type dial struct {
	arg         int
	least, most uint64
	slope       float64 // by how much the comparison changes with one step

	at, size int // a binary field
	big      bool

	text  bool // a decimal numeral
	nth   int  // numeral of the buffer: the numerals before it may get longer
	width int  // digits that it is filled up to

	signed bool // a number argument
}

const signBit = 1 << 63

// holds reports whether x is a position.
func (f *dial) holds(x uint64) bool { return x >= f.least && x <= f.most }

// numberDial returns an argument that is an integer.
func numberDial(v *input.Value, arg int) (f dial, ok bool) {
	width := v.Kind.Width()
	switch {
	case v.Kind >= input.Int && v.Kind <= input.Int64:
		return dial{arg: arg, signed: true, least: signBit - 1<<(width-1), most: signBit + (1<<(width-1) - 1)}, true
	case v.Kind > input.Int64 && v.Kind <= input.Uint64:
		return dial{arg: arg, most: widthMask(uint8(width / 8))}, true
	}
	return f, false
}

// textDial returns the numeral nth of a buffer.
func textDial(b []byte, arg, nth int) (f dial, ok bool) {
	fixed := false // dates and records have fields of a fixed width
	for d := nextNumeral(b, 10, 0); d.n > 0; d = nextNumeral(b, 10, d.at+d.n) {
		fixed = fixed || d.padded
	}
	d := numeralOf(b, nth)
	if d.n == 0 {
		return f, false
	}
	f = dial{arg: arg, text: true, nth: nth, most: 1e18}
	if fixed && d.n < 18 {
		f.width, f.most = d.n, 1
		for range d.n {
			f.most *= 10
		}
		f.most--
	}
	return f, true
}

// numeralOf returns the numeral nth of a buffer; its n is 0 if there is none.
func numeralOf(b []byte, nth int) numeral {
	d := nextNumeral(b, 10, 0)
	for ; nth > 0 && d.n > 0; nth-- {
		d = nextNumeral(b, 10, d.at+d.n)
	}
	return d
}

// get returns the position.
func (f *dial) get(a input.Args) uint64 {
	v := &a[f.arg]
	switch {
	case f.text:
		d := numeralOf(v.Data, f.nth)
		return d.value
	case f.size > 0:
		return load(v.Data[f.at:f.at+f.size], f.big)
	case f.signed:
		return v.Bits + signBit
	}
	return v.Bits
}

// set sets the number to position x. It reports false, and changes nothing, if that is not possible.
func (f *dial) set(a input.Args, x uint64) bool {
	v := &a[f.arg]
	switch {
	case !f.holds(x):
		return false
	case f.text:
		d := numeralOf(v.Data, f.nth)
		if d.n == 0 {
			return false
		}
		var buf [maxEncoded]byte
		text := appendNumeral(buf[:0], x, 10, &numeral{padded: f.width > 0, n: f.width})
		v.Data = replace(v.Data, d.at, d.n, text)
	case f.size > 0:
		if f.at+f.size > len(v.Data) {
			return false
		}
		for i := range f.size {
			shift := 8 * i
			if f.big {
				shift = 8 * (f.size - 1 - i)
			}
			v.Data[f.at+i] = byte(x >> shift)
		}
	case f.signed:
		v.Bits = mutate.Normalize(v.Kind, x-signBit)
	default:
		v.Bits = mutate.Normalize(v.Kind, x)
	}
	return true
}

// beyond returns where the line through two samples meets what is wanted, limited to what the field holds. best is nearer
// to it, or newer.
func (f *dial) beyond(best, last *sample) uint64 {
	if best.diff == last.diff {
		return best.x
	}
	run := float64(best.x - last.x)
	if best.x < last.x {
		run = -float64(last.x - best.x)
	}
	step := best.diff * run / (last.diff - best.diff)
	if up := f.most - best.x; step > 0 {
		if step >= float64(up) {
			return f.most
		}
		return best.x + max(uint64(step), min(1, up))
	}
	if -step >= float64(best.x-f.least) {
		return f.least
	}
	return best.x - max(uint64(-step), min(1, best.x-f.least))
}

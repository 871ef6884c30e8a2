package solve

import (
	"math/bits"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// maxFields is the length in bytes of the part of a buffer in which binary fields are looked for.
const maxFields = 1024

// maxPoints is how many executions a fit is checked on at most.
const maxPoints = 6

// points are the values of a field, or of an operand, in the entry and in its variants.
type points struct {
	n int
	v [maxPoints]uint64
}

func (s *points) add(v uint64) {
	if s.n < maxPoints {
		s.v[s.n] = v
		s.n++
	}
}

// distinct returns the number of different values.
func (s *points) distinct() (n int) {
	for i := range s.n {
		fresh := 1
		for j := range i {
			if s.v[i] == s.v[j] {
				fresh = 0
			}
		}
		n += fresh
	}
	return n
}

// field is a place in the input that holds a number.
type field struct {
	Edit         // where it is
	x    points  // what it holds
	size uint8   // bytes of a binary one
	big  bool    // it is big-endian
	text numeral // a decimal one
}

// fitCost: to try a pair on a field takes so many times as long as to look at a byte for a value.
const fitCost = 8

// minFit is how many different values a function must explain: two of them determine it, the others check it.
const minFit = 3

// fitEdits looks for fields of which the target computes a value that it compares, v = a*x + b or x ^ k, and yields what
// the field must hold for the value that is wanted.
func (t *Table) fitEdits(a input.Args, yield func(e Edit) bool) bool {
	if t.Without.Has(technique.Affine) {
		return true
	}
	t.grant()
	for _, length := range t.fitGroups() {
		pairs, values := t.moving(length)
		if len(pairs) == 0 {
			continue
		}
		more := t.fields(a, length, func(f *field) bool {
			if !t.search(fitCost * len(pairs)) {
				return true
			}
			for i, p := range pairs {
				if f.x.n == values[i].n && !t.fitField(p, f, &values[i], yield) {
					return false
				}
			}
			return true
		})
		if !more {
			return false
		}
	}
	return true
}

// fitGroups returns the variants that belong together: -1 for those of the same length, and the arguments of which the
// length varies.
func (t *Table) fitGroups() []int {
	list := []int{-1}
	for i := range t.variants {
		if l := t.variants[i].length; l >= 0 && list[len(list)-1] != l {
			list = append(list, l)
		}
	}
	return list
}

// moving returns the pairs that are different in each variant of a group, with their values.
func (t *Table) moving(length int) (pairs []*Pair, values []points) {
	for i := range t.pairs {
		p := &t.pairs[i]
		if p.unstable || p.Width < 2 || p.Width > 8 {
			continue
		}
		var s points
		s.add(p.Seen)
		ok := true
		for j := range t.variants {
			if v := &t.variants[j]; v.length == length {
				ok = ok && v.values[i].ok
				s.add(v.values[i].seen)
			}
		}
		if ok && s.distinct() >= minFit {
			pairs, values = append(pairs, p), append(values, s)
		}
	}
	return pairs, values
}

// fields calls yield for all fields that have different values in the variants of a group.
func (t *Table) fields(a input.Args, length int, yield func(f *field) bool) bool {
	for arg := range a {
		at := Edit{Arg: arg, Resize: -1, Tight: true}
		if length >= 0 {
			if arg == length && !t.tryField(a, length, &field{Edit: at}, func(v *input.Value) (uint64, bool) {
				return uint64(len(v.Data)), true
			}, yield) {
				return false
			}
			continue
		}
		if !a[arg].Kind.IsBuffer() {
			if a[arg].Kind != input.Float32 && a[arg].Kind != input.Float64 && !t.tryField(a, length, &field{Edit: at},
				func(v *input.Value) (uint64, bool) { return v.Bits, true }, yield) {
				return false
			}
			continue
		}
		if !t.decimalFields(a, at, yield) || !t.binaryFields(a, at, yield) {
			return false
		}
	}
	return true
}

// tryField reads a field in the entry and in the variants of a group, and yields it if it varies.
func (t *Table) tryField(
	a input.Args, length int, f *field, read func(v *input.Value) (uint64, bool), yield func(f *field) bool,
) bool {
	f.x.n = 0
	x, ok := read(&a[f.Arg])
	f.x.add(x)
	for i := range t.variants {
		if v := &t.variants[i]; ok && v.length == length {
			x, ok = read(&v.args[f.Arg])
			f.x.add(x)
		}
	}
	if !ok || f.x.distinct() < minFit {
		return true
	}
	return yield(f)
}

func (t *Table) decimalFields(a input.Args, at Edit, yield func(f *field) bool) bool {
	b := a[at.Arg].Data
	for d := nextNumeral(b, 10, 0); d.n > 0; d = nextNumeral(b, 10, d.at+d.n) {
		f := &field{Edit: at, text: d}
		f.At, f.Len = d.at, d.n
		if !t.tryField(a, -1, f, func(v *input.Value) (uint64, bool) {
			if d.at >= len(v.Data) {
				return 0, false
			}
			n := nextNumeral(v.Data, 10, d.at)
			if n.sign == '-' {
				return -n.value, n.at == d.at
			}
			return n.value, n.at == d.at && n.n > 0
		}, yield) {
			return false
		}
	}
	return true
}

func (t *Table) binaryFields(a input.Args, at Edit, yield func(f *field) bool) bool {
	n := min(len(a[at.Arg].Data), maxFields)
	for pos := range n {
		for size := 1; size <= 8 && pos+size <= n; size *= 2 {
			for _, big := range [2]bool{false, true} {
				if size == 1 && big {
					continue
				}
				f := &field{Edit: at, size: uint8(size), big: big}
				f.At, f.Len = pos, size
				if !t.tryField(a, -1, f, func(v *input.Value) (uint64, bool) {
					if pos+size > len(v.Data) {
						return 0, false
					}
					return load(v.Data[pos:pos+size], big), true
				}, yield) {
					return false
				}
			}
		}
	}
	return true
}

// load reads a binary number.
func load(b []byte, big bool) (x uint64) {
	for i, c := range b {
		if big {
			x = x<<8 | uint64(c)
		} else {
			x |= uint64(c) << (8 * i)
		}
	}
	return x
}

// fitField yields what a field must hold for the value that a pair wants, if the value is a function of it.
func (t *Table) fitField(p *Pair, f *field, v *points, yield func(e Edit) bool) bool {
	mask := widthMask(p.Width)
	if k, ok := fitXor(&f.x, v, mask); ok {
		return k == 0 || t.solution(p, f, (p.Want^k)&mask, yield)
	}
	a, b, ok := fitAffine(&f.x, v, p.Width)
	if !ok {
		return true
	}
	near, x := solveAffine(a, b, p.Want, p.Width)
	return t.solution(p, f, near, yield) && (x == near || t.solution(p, f, x, yield))
}

// fitXor finds k so that v = x ^ k.
func fitXor(x, v *points, mask uint64) (k uint64, ok bool) {
	k = (x.v[0] ^ v.v[0]) & mask
	for i := 1; i < x.n; i++ {
		if (x.v[i]^v.v[i])&mask != k {
			return 0, false
		}
	}
	return k, true
}

// fitAffine finds a and b so that v = a*x + b in the arithmetic of the width.
func fitAffine(x, v *points, width uint8) (a, b uint64, ok bool) {
	mask := widthMask(width)
	dx, dv := x.v[1]-x.v[0], v.v[1]-v.v[0]
	best := -1
	for i := 1; i < x.n; i++ {
		ex, ev := x.v[i]-x.v[0], v.v[i]-v.v[0]
		if (ex*dv-ev*dx)&mask != 0 { // true of all lines; nearly all other fields end here
			return 0, 0, false
		}
		if ex&mask != 0 && (best < 0 || bits.TrailingZeros64(ex) < bits.TrailingZeros64(x.v[best]-x.v[0])) {
			best = i
		}
	}
	if best < 0 {
		return 0, 0, false
	}
	dx, dv = (x.v[best]-x.v[0])&mask, (v.v[best]-v.v[0])&mask
	shift := bits.TrailingZeros64(dx)
	if dv == 0 || bits.TrailingZeros64(dv) < shift {
		return 0, 0, false
	}
	// The top bits of a are not known if dx is even: they are zero, or the sign.
	known := 8*int(min(width, 8)) - shift
	a = dv >> shift * inverse(dx>>shift) & (^uint64(0) >> (64 - known))
	for _, a := range [2]uint64{uint64(int64(a<<(64-known)) >> (64 - known)), a} {
		b = v.v[0] - a*x.v[0]
		ok = a != 0
		for i := range x.n {
			ok = ok && (a*x.v[i]+b-v.v[i])&mask == 0
		}
		if ok {
			return a, b, true
		}
	}
	return 0, 0, false
}

// inverse returns the number with inverse(a)*a = 1 modulo 2^64, for odd a. Each of Newton's steps doubles the bits that
// are right, of which a has three.
func inverse(a uint64) uint64 {
	x := a
	for range 5 {
		x *= 2 - a*x
	}
	return x
}

// solveAffine returns x with a*x + b = want in the arithmetic of the width, and the one that comes near without an
// overflow. They are the same if the division leaves no remainder, or the first does not exist.
func solveAffine(a, b, want uint64, width uint8) (near, x uint64) {
	r := signExtend(want-b, width)
	near = uint64(int64(r) / int64(a))
	shift := bits.TrailingZeros64(a)
	known := 8*int(min(width, 8)) - shift
	if near*a == r || known <= 0 || r&(1<<shift-1) != 0 {
		return near, near
	}
	return near, r >> shift * inverse(a>>shift) & (^uint64(0) >> (64 - known))
}

// solution yields the edits that write x, and its neighbours, into a field.
func (t *Table) solution(p *Pair, f *field, x uint64, yield func(e Edit) bool) bool {
	e := f.Edit
	e.Site = p.Site
	if f.text.n > 0 {
		q := Pair{Seen: f.x.v[0], Want: x, Width: 8, Site: p.Site}
		return t.numeralTexts(&q, 10, &f.text, f.text.sign == '-' || f.text.sign == '+', e, yield)
	}
	for _, x := range [3]uint64{x, x + 1, x - 1} {
		switch {
		case f.size > 0:
			if mask := widthMask(f.size); x&^mask != 0 && signExtend(x, f.size) != signExtend(x, p.Width) {
				continue
			}
			e.New, _ = littleEndian(t.wantBuf[0][:0], x, f.size)
			if f.big {
				e.New, _ = bigEndian(t.wantBuf[0][:0], x, f.size)
			}
		case t.isLength(e.Arg):
			if x >= maxResize {
				continue
			}
			e.Resize = int(x)
		default:
			e.Bits = x
		}
		if !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// isLength reports whether an argument is a buffer, so that a field without bytes is its length.
func (t *Table) isLength(arg int) bool { return t.variants[0].args[arg].Kind.IsBuffer() }

package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// fitter looks for fields of which the target computes values that it compares.
type fitter struct {
	search *search
	log    *Log
}

// maxFields is the length in bytes of the part of a buffer in which binary fields are looked for.
const maxFields = 1024

// fitCost is how many times as long it takes to try a pair on a field as to compare a byte.
const fitCost = 8

// edits looks for fields of which the target computes a value that it compares, v = a*x + b or x ^ k, and yields what
// the field must hold for the value that is wanted.
func (t *fitter) edits(a input.Args, yield func(e Edit) bool) bool {
	if t.search.without.Has(technique.Affine) {
		return true
	}
	t.search.budget.grant()
	for _, length := range t.groups() {
		pairs, values := t.moving(length)
		if len(pairs) == 0 {
			continue
		}
		more := t.fields(a, length, func(f *field) bool {
			if !t.search.spend(fitCost * len(pairs)) {
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

// groups returns the variants that belong together: -1 for those of the same length, and the arguments of which the
// length varies.
func (t *fitter) groups() []int {
	list := []int{-1}
	for i := range t.log.variants {
		if l := t.log.variants[i].length; l >= 0 && list[len(list)-1] != l {
			list = append(list, l)
		}
	}
	return list
}

// moving returns the pairs that are different in each variant of a group, with their values.
func (t *fitter) moving(length int) (pairs []*pair, values []points) {
	for i := range t.log.pairs {
		p := &t.log.pairs[i]
		if p.unstable || p.Width < 2 || p.Width > 8 {
			continue
		}
		var s points
		s.add(p.Seen)
		ok := true
		for j := range t.log.variants {
			if v := &t.log.variants[j]; v.length == length {
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

// field is a place in the input that holds a number.
type field struct {
	Edit         // where it is
	x    points  // what it holds
	size uint8   // bytes of a binary one
	big  bool    // it is big-endian
	text numeral // a decimal one
}

// fields calls yield for all fields that have different values in the variants of a group.
func (t *fitter) fields(a input.Args, length int, yield func(f *field) bool) bool {
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
func (t *fitter) tryField(
	a input.Args, length int, f *field, read func(v *input.Value) (uint64, bool), yield func(f *field) bool,
) bool {
	f.x.n = 0
	x, ok := read(&a[f.Arg])
	f.x.add(x)
	for i := range t.log.variants {
		if v := &t.log.variants[i]; ok && v.length == length {
			x, ok = read(&v.args[f.Arg])
			f.x.add(x)
		}
	}
	if !ok || f.x.distinct() < minFit {
		return true
	}
	return yield(f)
}

func (t *fitter) decimalFields(a input.Args, at Edit, yield func(f *field) bool) bool {
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

func (t *fitter) binaryFields(a input.Args, at Edit, yield func(f *field) bool) bool {
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

// fitField yields what a field must hold for the value that a pair wants, if the value is a function of it.
func (t *fitter) fitField(p *pair, f *field, v *points, yield func(e Edit) bool) bool {
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

// solution yields the edits that write x, and its neighbours, into a field.
func (t *fitter) solution(p *pair, f *field, x uint64, yield func(e Edit) bool) bool {
	e := f.Edit
	e.Site = p.Site
	if f.text.n > 0 {
		q := pair{Seen: f.x.v[0], Want: x, Width: 8, Site: p.Site}
		return t.search.numeralTexts(&q, 10, &f.text, f.text.sign == '-' || f.text.sign == '+', e, yield)
	}
	for _, x := range [3]uint64{x, x + 1, x - 1} {
		switch {
		case f.size > 0:
			if mask := widthMask(f.size); x&^mask != 0 && signExtend(x, f.size) != signExtend(x, p.Width) {
				continue
			}
			e.New, _ = littleEndian(t.search.wantBuf[0][:0], x, f.size)
			if f.big {
				e.New, _ = bigEndian(t.search.wantBuf[0][:0], x, f.size)
			}
		case t.isLength(e.Arg):
			if x >= maxResize {
				continue
			}
			e.Resize = int(x)
		default:
			e.Bits = x
		}
		if !t.search.emit(e, yield) {
			return false
		}
	}
	return true
}

// isLength reports whether an argument is a buffer, so that a field without bytes is its length.
func (t *fitter) isLength(arg int) bool { return t.log.variants[0].args[arg].Kind.IsBuffer() }

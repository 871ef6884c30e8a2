package solve

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

const (
	// frameReach is how many bytes before a part are searched for the lengths of the parts around it.
	frameReach = 64
	// maxFrames is how many lengths one edit adjusts.
	maxFrames = 6
)

// framed returns e with the lengths of the part that it replaces, and of the parts around it, adjusted. It reports false
// if no field holds the length of the part, or if the new length does not fit.
func (m *emitter) framed(e Edit) (Edit, bool) {
	b := m.args[e.Arg].Data
	delta := len(e.New) - e.Len
	if delta == 0 || e.Resize >= 0 || e.At == 0 || e.At+e.Len > len(b) || m.without.Has(technique.LengthFields) {
		return e, false
	}
	f, ok := fieldBefore(b, e.At, e.Len)
	if !ok || !f.fits(uint64(len(e.New))) {
		return e, false
	}
	fields := [maxFrames]int{f.lo}
	n := 1
	end := e.At + e.Len
	for lo := f.lo - f.width; lo >= max(0, f.lo-frameReach) && n < maxFrames; lo-- {
		v := load(b[lo:lo+f.width], f.big)
		if f.around(v, lo, end, len(b)) && f.fits(v+uint64(delta)) && lo+f.width <= fields[n-1] {
			fields[n] = lo
			n++
		}
	}
	start := fields[n-1]
	m.frame = append(append(m.frame[:0], b[start:e.At]...), e.New...)
	for _, lo := range fields[:n] {
		f.store(m.frame[lo-start:][:f.width], load(b[lo:lo+f.width], f.big)+uint64(delta))
	}
	e.At, e.Len, e.New = start, end-start, m.frame
	return e, true
}

// partField is an integer right before a part that holds the length of the part.
type partField struct {
	lo, width int
	big       bool
}

// fieldWidths are the widths of such fields in bytes, the most frequent first. A byte behind three zeros is the end of a
// wider field, so it is not looked at by itself.
var fieldWidths = [...]int{4, 2, 8, 1}

// fieldBefore returns the field that ends at position at and holds n. A zero of one byte is not taken for a field.
func fieldBefore(b []byte, at, n int) (f partField, ok bool) {
	for _, width := range fieldWidths {
		if width > at || n == 0 && width == 1 {
			continue
		}
		for _, big := range [2]bool{true, false} {
			if load(b[at-width:at], big) == uint64(n) {
				return partField{at - width, width, big}, true
			}
		}
	}
	return f, false
}

// store writes v in the form of f.
func (f partField) store(b []byte, v uint64) {
	for i := range b {
		shift := 8 * i
		if f.big {
			shift = 8 * (len(b) - 1 - i)
		}
		b[i] = byte(v >> shift)
	}
}

// fits reports whether the field may hold v.
func (f partField) fits(v uint64) bool { return f.width >= 8 || v>>(8*f.width) == 0 }

// around reports whether a field at lo that holds v may be the length of a part that contains another one, which ends at
// end. Single bytes match often by chance, so their part must end where the other one does, or where the buffer does.
func (f partField) around(v uint64, lo, end, size int) bool {
	stop := lo + f.width + int(v)
	return v > 0 && v <= uint64(size) && stop >= end && stop <= size && (f.width > 1 || stop == end || stop == size)
}

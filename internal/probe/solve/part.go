package solve

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

const (
	// frameReach is how many bytes before a part the fields of the parts around it are looked for.
	frameReach = 64
	// maxFrames is how many parts around a part get another length, too.
	maxFrames = 6
	// maxName is the length up to which a part is grown if the one that it is compared with may be another one in the
	// next execution.
	maxName = 256
	// partCost: to look for the parts of a length takes so many times as long as to look for a value.
	partCost = 32
	// maxParts is how many parts one comparison of a length resizes.
	maxParts = 4
)

// partField is an integer right before a part that tells how long the part is.
type partField struct {
	lo, width int
	big       bool
}

// fieldWidths are those of the fields that parts may have, the most frequent first. Behind three zeros a byte is the end of
// a wider one.
var fieldWidths = [...]int{4, 2, 8, 1}

// fieldBefore returns the field that ends at position at and says n. A zero of one byte says nothing.
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

// framed returns e with the lengths of the part that it replaces, and of the parts around that one, put right. There is
// none if no field says how long the part is, or if the new length does not fit.
func (t *Table) framed(e Edit) (Edit, bool) {
	b := t.args[e.Arg].Data
	delta := len(e.New) - e.Len
	if delta == 0 || e.Resize >= 0 || e.At == 0 || e.At+e.Len > len(b) || t.Without.Has(technique.LengthFields) {
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
	t.frame = append(append(t.frame[:0], b[start:e.At]...), e.New...)
	for _, lo := range fields[:n] {
		f.store(t.frame[lo-start:][:f.width], load(b[lo:lo+f.width], f.big)+uint64(delta))
	}
	e.At, e.Len, e.New = start, end-start, t.frame
	return e, true
}

// around reports whether a field at lo that says v is that of a part with another one inside that ends at end. Single
// bytes say nearly everything, so that they have to end where the other part does, or the buffer.
func (f partField) around(v uint64, lo, end, size int) bool {
	stop := lo + f.width + int(v)
	return v > 0 && v <= uint64(size) && stop >= end && stop <= size && (f.width > 1 || stop == end || stop == size)
}

// partEdits resizes parts whose length a field tells, and was compared. What is added is a copy of what is there.
func (t *Table) partEdits(p *Pair, b []byte, arg int, yield func(e Edit) bool) bool {
	if p.Want > maxToken || !p.Const && p.Want > maxName || p.Seen > uint64(len(b)) || t.Without.Has(technique.LengthFields) {
		return true
	}
	if !t.search(partCost * len(b)) {
		return true
	}
	n := int(p.Seen)
	first := 2
	if len(b) > 0 && (b[0] < ' ' || b[0] > '~') { // what a text begins with is rarely a length
		first = 1
	}
	for at, done := first, 0; at+n <= len(b) && done < maxParts; at++ {
		if f, ok := fieldBefore(b, at, n); !ok || n == 0 && f.width < emptyWidth {
			continue
		}
		done++
		e := Edit{Arg: arg, At: at, Len: n, Resize: -1, Site: p.Site}
		for _, want := range p.wants() {
			if want > maxToken+1 || want == p.Seen {
				continue
			}
			t.wantText = t.wantText[:0]
			for len(t.wantText) < int(want) {
				t.wantText = append(t.wantText, filler(b[at:at+n], len(t.wantText)))
			}
			e.New = t.wantText
			if f, ok := t.framed(e); ok && !t.emitOne(f, yield) {
				return false
			}
		}
	}
	return true
}

// emptyEdits puts what an empty string was compared with into empty parts.
func (t *Table) emptyEdits(p *Pair, b []byte, arg int, yield func(e Edit) bool) bool {
	if !t.search(partCost * len(b)) {
		return true
	}
	for at, done := emptyWidth, 0; at <= len(b) && done < maxParts; at++ {
		if f, ok := fieldBefore(b, at, 0); !ok || f.width < emptyWidth {
			continue
		}
		done++
		e := Edit{Arg: arg, At: at, Resize: -1, New: p.WantText, Site: p.Site}
		if f, ok := t.framed(e); ok && !t.emitOne(f, yield) {
			return false
		}
	}
	return true
}

// emptyWidth is the size of the narrowest field that is believed to say zero.
const emptyWidth = 4

// filler returns byte i of a part that is repeated.
func filler(part []byte, i int) byte {
	if len(part) == 0 {
		return '0'
	}
	return part[i%len(part)]
}

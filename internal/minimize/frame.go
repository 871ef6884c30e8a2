package minimize

import (
	"cmp"
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// frame is what is known about the lengths and checksums in a buffer.
type frame struct {
	data   []byte           // what it was made for
	fields []field          // those that were proven, and those that may well be lengths, in the order of their places
	sums   *mutate.Material // with the checksum at one end of the buffer, if there is one that is right
	summed bool             // there is such a checksum, or the format is one of those of which all checksums are known
}

// maxFields is how many fields of a buffer are looked at.
const maxFields = 64

// maxTag is the size of the largest tag that stands between the part that one field counts and the next field.
const maxTag = 4

// newFrame looks for lengths and checksums. What counts a part that ends with the buffer, or before the checksum behind it, may
// well be a length. So may what counts a part that ends where the one of a proven length ends, or where a proven length or its tag
// begins.
func newFrame(d []byte, proven []field) *frame {
	alone := input.Args{{Kind: input.Bytes, Data: d}}
	f := &frame{data: d, sums: &mutate.Material{Sums: mutate.Recognize(alone)}}
	trailer, isSummed := f.sums.Sums.Trailer(0)
	f.summed = isSummed || mutate.HasContainer(f.sums, alone)
	whole := len(d) - trailer
	ends := []int{whole}
	if trailer > 0 {
		ends = append(ends, len(d))
	}
	for _, p := range proven {
		ends = append(ends, p.end)
		for tag := 0; tag <= maxTag; tag++ {
			ends = append(ends, p.lo-tag)
		}
	}
	f.fields = slices.Clone(proven)
	for _, new := range fieldsTo(d, whole, ends) {
		if len(f.fields) < maxFields && !slices.ContainsFunc(proven, new.overlaps) {
			f.fields = append(f.fields, new)
		}
	}
	slices.SortStableFunc(f.fields, byPlace)
	return f
}

// overlaps reports whether two fields share bytes.
func (f field) overlaps(g field) bool { return f.lo < g.hi && g.lo < f.hi }

// provenFields returns the fields that were proven.
func (f *frame) provenFields() (list []field) {
	for _, c := range f.fields {
		if c.proven {
			list = append(list, c)
		}
	}
	return list
}

// cut is the replacement of the bytes from lo to hi by others, which are no more.
type cut struct {
	lo, hi int
	with   []byte
}

// shortenedBy returns by how many bytes a cut makes the part shorter that a field counts. ok is false if the field is not before the cut or
// its part not behind it, and if what replaces the bytes may belong to that part or not.
func (f field) shortenedBy(c cut) (n int, ok bool) {
	if f.hi > c.lo || f.end <= c.lo || f.end < c.hi && len(c.with) > 0 {
		return 0, false
	}
	n = min(c.hi, f.end) - c.lo - len(c.with)
	return n, n > 0
}

// counting returns the fields that count bytes which a cut removes.
func (f *frame) counting(c cut) (list []field) {
	for _, field := range f.fields {
		if _, ok := field.shortenedBy(c); ok {
			list = append(list, field)
		}
	}
	return list
}

// corrected returns the cuts that make a cut with the given fields corrected, in the order of their places. ok is false if a number
// is too small for that, or two of the fields share bytes.
func (f *frame) corrected(c cut, fields []field) (cuts []cut, ok bool) {
	cuts = []cut{c}
	less, limit := 0, c.lo // by how much corrected fields are shorter, and where the last one of them begins
	slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(b.lo, a.lo) })
	for _, field := range fields {
		n, _ := field.shortenedBy(c)
		n += less
		v := field.value(f.data)
		if v < uint64(n) || field.hi > limit {
			return nil, false
		}
		text := field.encode(v - uint64(n))
		less, limit = less+field.hi-field.lo-len(text), field.lo
		cuts = append(cuts, cut{field.lo, field.hi, text})
	}
	slices.Reverse(cuts)
	return cuts, true
}

// apply returns the buffer after some cuts.
func (f *frame) apply(cuts []cut) (out []byte) {
	at := 0
	for _, c := range cuts {
		out = append(append(out, f.data[at:c.lo]...), c.with...)
		at = c.hi
	}
	return append(out, f.data[at:]...)
}

// sum makes the checksums of a buffer right in place. It reports whether that is a change.
func (f *frame) sum(d []byte) bool {
	return f.summed && mutate.FixChecksums(f.sums, input.Args{{Kind: input.Bytes, Data: d}})
}

// after returns the frame of the buffer d that cuts have made. The corrected fields are proven. Those that were wrong after the
// accepted cut are none; so are those of which a part was cut.
func (f *frame) after(d []byte, cuts []cut, corrected []field) *frame {
	all := slices.Clone(corrected)
	for i := range all {
		all[i].proven = true
	}
	for _, c := range f.fields {
		if !slices.ContainsFunc(corrected, c.overlaps) && !slices.ContainsFunc(cuts, c.changedBy) {
			all = append(all, c)
		}
	}
	for i, c := range all {
		all[i].lo, all[i].hi, all[i].end = moved(c.lo, cuts), moved(c.hi, cuts), moved(c.end, cuts)
	}
	slices.SortStableFunc(all, byPlace)
	return &frame{data: d, fields: all, sums: f.sums, summed: f.summed}
}

func byPlace(a, b field) int { return cmp.Compare(a.lo, b.lo) }

// changedBy reports whether a cut changes a field or the size of what it counts.
func (f field) changedBy(c cut) bool {
	_, counts := f.shortenedBy(c)
	return counts || c.lo < f.hi && f.lo < c.hi
}

// moved returns where a place is after some cuts.
func moved(at int, cuts []cut) int {
	by := 0
	for _, c := range cuts {
		switch {
		case c.hi <= at:
			by += len(c.with) - (c.hi - c.lo)
		case c.lo < at: // within what was cut
			return c.lo + by + len(c.with)
		}
	}
	return at + by
}

package mutate

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

// layout is how a format writes a sequence of records, each with its length.
type layout struct {
	at, size int  // of the length in a record
	big      bool // the length is big-endian
	extra    int  // bytes that the length does not count

	tag, tagSize int // where the tag is; none if it has no size
}

// layouts of formats that are in wide use.
var layouts = [...]layout{
	{0, 4, true, 12, 4, 4}, // PNG: length, tag, data, checksum
	{4, 4, false, 8, 0, 4}, // RIFF: tag, length, data
	{4, 4, true, 8, 0, 4},  // IFF, MIDI
	{0, 4, true, 0, 4, 4},  // boxes of MP4: the length counts itself
	{0, 4, true, 4, 0, 0},  // messages behind their length
	{0, 4, false, 4, 0, 0}, // the same, little-endian
	{2, 2, true, 4, 0, 2},  // extensions of TLS
	{2, 2, false, 4, 0, 2}, // extra fields of ZIP
	{1, 2, true, 3, 0, 1},  // one byte of tag, two of length
	{0, 2, true, 2, 0, 0},  // strings behind their length
	{1, 1, true, 2, 0, 1},  // ASN.1 up to 127 bytes, options of DHCP
	{0, 1, true, 1, 0, 0},  // labels of DNS
	{1, 1, true, 0, 0, 1},  // options of TCP: the length counts all
}

// recordStarts are the positions where a sequence may begin: behind nothing, or a header of a usual size.
var recordStarts = [...]int{0, 8, 4, 12, 2, 1, 5}

// maxRecords ends the walk through a sequence of very many.
const maxRecords = 256

// next returns where the record that begins at b[at] ends; ok is false if none does. It has room for its length and its tag.
func (l *layout) next(b []byte, at int) (end int, ok bool) {
	field := at + l.at
	if field+l.size > len(b) {
		return 0, false
	}
	n := load(b[field:field+l.size], l.big)
	if n > uint64(len(b)) {
		return 0, false
	}
	end = at + int(n) + l.extra
	return end, end >= max(field+l.size, at+l.tag+l.tagSize) && end > at && end <= len(b)
}

// count returns how many records there are if they begin at b[at] and the last one ends where b does, otherwise 0.
func (l *layout) count(b []byte, at int) (n int) {
	for at < len(b) {
		end, ok := l.next(b, at)
		if n++; !ok || n > maxRecords {
			return 0
		}
		at = end
	}
	return n
}

// header returns the size of what is in front of the data of a record.
func (l *layout) header() int { return max(l.at+l.size, l.tag+l.tagSize) }

// nests reports whether the data of a record may be records: nothing is behind it that depends on them, such as a checksum.
func (l *layout) nests() bool { return l.extra == 0 || l.extra == l.header() }

// maxNested is how many records around a changed one are adjusted.
const maxNested = 8

// record is one of a sequence of records.
type record struct {
	*layout
	lo, hi int
	more   bool           // another one follows
	outer  [maxNested]int // where the records begin that it is in
	depth  int            // how many of them there are
}

// findRecord returns a random record or, if its data are records, half of the time one of those. ok is false if there is neither
// a sequence of two or more records nor a record of records.
func findRecord(r *Rand, b []byte) (rec record, ok bool) {
	first := r.Intn(len(layouts))
	for i := range layouts {
		l := &layouts[(first+i)%len(layouts)]
		for _, at := range recordStarts {
			n := l.count(b, at)
			if n == 0 {
				continue
			}
			rec = record{layout: l}
			rec.choose(b, at, n, r)
			inner := rec.inside(b)
			if n == 1 && inner == 0 {
				continue
			}
			for ; inner > 0 && rec.depth < maxNested && r.Bool(); inner = rec.inside(b) {
				rec.outer[rec.depth] = rec.lo
				rec.depth++
				rec.choose(b[:rec.hi], rec.lo+l.header(), inner, r)
			}
			return rec, true
		}
	}
	return record{}, false
}

// choose takes one of the n records that begin at b[at].
func (rec *record) choose(b []byte, at, n int, r *Rand) {
	k := r.Intn(n)
	for range k {
		at, _ = rec.next(b, at)
	}
	rec.lo, rec.more = at, k+1 < n
	rec.hi, _ = rec.next(b, at)
}

// inside returns how many records the data of rec consist of; 0 if they are something else.
func (rec *record) inside(b []byte) int {
	if !rec.nests() {
		return 0
	}
	return rec.count(b[:rec.hi], rec.lo+rec.header())
}

// moveRecord duplicates, deletes, encloses or moves one of a sequence of records, such as the chunks of a PNG, and adjusts the
// records around it. Half of the duplicates get another tag. Most other operators break the frame of a record, and then a
// target reads nothing behind it.
func moveRecord(m *Material, b []byte) ([]byte, bool) {
	rec, ok := findRecord(m.Rand, b)
	if !ok {
		return b, false
	}
	before := len(b)
	if b, ok = m.editRecord(&rec, b); ok && rec.depth > 0 {
		for _, lo := range rec.outer[:rec.depth] {
			f := b[lo+rec.at : lo+rec.at+rec.size]
			store(f, load(f, rec.big)+uint64(len(b)-before), rec.big)
		}
		m.at = min(m.at, rec.outer[0]) // the fields inside are adjusted already
	}
	return b, ok
}

// grows reports whether the lengths of all records around rec can count n more bytes.
func (rec *record) grows(b []byte, n int) bool {
	for _, lo := range rec.outer[:rec.depth] {
		f := b[lo+rec.at : lo+rec.at+rec.size]
		if (load(f, rec.big)+uint64(n))>>(8*rec.size) != 0 {
			return false
		}
	}
	return true
}

// editRecord changes the sequence that rec is in, but not the records around it.
func (m *Material) editRecord(rec *record, b []byte) ([]byte, bool) {
	lo, hi, n := rec.lo, rec.hi, rec.hi-rec.lo
	switch c := m.Rand.Intn(4); {
	case c == 0:
		return replace(m, b, lo, hi, nil)
	case c == 1 && rec.more:
		end, _ := rec.next(b, hi)
		return swap(b, lo, hi, hi, end)
	case c == 2 && m.Rand.Bool() && rec.nests():
		return m.encloseRecord(rec, b)
	case n > m.room(b) || !rec.grows(b, n):
		return b, false
	}
	b, m.at = openGap(b, hi, n), -1 // what counts records is no length of bytes
	copy(b[hi:hi+n], b[lo:hi])
	if m.Rand.Bool() {
		lo = hi
	}
	if rec.tagSize > 0 && m.Rand.Bool() {
		m.retag(b[lo+rec.tag : lo+rec.tag+rec.tagSize])
	}
	return b, true
}

// encloseRecord puts rec into another record with the same tag.
func (m *Material) encloseRecord(rec *record, b []byte) ([]byte, bool) {
	lo, size := rec.lo, rec.header()
	length := uint64(rec.hi - lo + size - rec.extra)
	if size > m.room(b) || length>>(8*rec.size) != 0 || !rec.grows(b, size) {
		return b, false
	}
	b, m.at = openGap(b, lo, size), -1
	copy(b[lo:lo+size], b[lo+size:])
	store(b[lo+rec.at:lo+rec.at+rec.size], length, rec.big)
	return b, true
}

// retagReach is how many tokens are searched for one of the size of a tag.
const retagReach = 64

// retag replaces a tag by a token, or by a small number if tags are numbers.
func (m *Material) retag(tag []byte) {
	if len(tag) <= 2 && m.Rand.Bool() {
		store(tag, uint64(m.Rand.Intn(64)), true)
		return
	}
	list := m.Tokens
	if m.Without.Has(technique.Dictionary) {
		list = nil
	}
	if !m.Without.Has(technique.Tokens) && (len(list) == 0 || m.Rand.Chance(1, comparedIn)) {
		list = m.Compared
	}
	if len(list) == 0 {
		return
	}
	at := min(m.Rand.Intn(len(list)), m.Rand.Intn(len(list)))
	for range min(retagReach, len(list)) {
		if len(list[at]) == len(tag) {
			copy(tag, list[at])
			return
		}
		at = (at + 1) % len(list)
	}
}

// Records calls yield for the records of each sequence in b whose tags have a size, until it returns false.
func Records(b []byte, tagSize int, yield func(lo, tag, hi int) bool) {
	for i := range layouts {
		l := &layouts[i]
		if l.tagSize != tagSize {
			continue
		}
		for _, lo := range recordStarts {
			if l.count(b, lo) < 2 {
				continue
			}
			for lo < len(b) {
				hi, ok := l.next(b, lo)
				if !ok || !yield(lo, lo+l.tag, hi) {
					return
				}
				lo = hi
			}
		}
	}
}

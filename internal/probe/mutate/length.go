package mutate

// fieldForms says in which forms the length of a part may be written in an argument.
type fieldForms uint8

const (
	noFields     fieldForms = iota
	textFields              // decimal
	binaryFields            // integers of 1, 2, 4 or 8 bytes in both byte orders, uvarints, decimal
)

// fieldForm is how the length of a part is written.
type fieldForm uint8

const (
	littleField fieldForm = iota
	bigField
	uvarintField
	decimalField
)

// field is something in a buffer that may be the length of what follows.
type field struct {
	lo, hi int
	form   fieldForm
	value  int
}

const (
	fieldReach  = 64 // a field is at most so many bytes before what it counts
	fieldSlack  = 16 // a part may end so many bytes behind the end: a trailer that is missing, a header that is counted
	fixFieldsIn = 4  // one in so many insertions and deletions is told to the fields before it
	nestedParts = 3  // how many fields are told at most
	exactWeight = 8  // how much more likely a field is meant whose part ends where the buffer ends
)

// fieldSearch collects the candidates: every field for which the part that it counts ends in [least, most]. It keeps
// one of them, each with the same probability but for those that end at exact.
type fieldSearch struct {
	m                  *Material
	least, most, exact int
	total              int
	best               field
}

func (s *fieldSearch) offer(lo, hi int, form fieldForm, v uint64) {
	if v > uint64(s.most) {
		return
	}
	end := hi + int(v)
	if end < s.least || end > s.most {
		return
	}
	weight := 1
	if end == s.exact {
		weight = exactWeight
	}
	s.total += weight
	if s.m.Rand.Intn(s.total) < weight {
		s.best = field{lo, hi, form, int(v)}
	}
}

// search looks for fields that end at limit or up to fieldReach bytes before.
func (s *fieldSearch) search(b []byte, limit int, forms fieldForms) {
	for lo := max(limit-fieldReach, 0); lo < limit; lo++ {
		if forms == binaryFields {
			s.integers(b[:limit], lo)
		}
		if classes[b[lo]]&digit != 0 && (lo == 0 || classes[b[lo-1]]&digit == 0) {
			s.decimal(b[:limit], lo)
		}
	}
}

// integers offers the integers that begin at lo.
func (s *fieldSearch) integers(b []byte, lo int) {
	v := uint64(b[lo])
	s.offer(lo, lo+1, littleField, v)
	left := len(b) - lo
	if left < 2 {
		return
	}
	if v >= 0x80 && b[lo+1] < 0x80 {
		s.offer(lo, lo+2, uvarintField, v&0x7f|uint64(b[lo+1])<<7)
	}
	v |= uint64(b[lo+1]) << 8
	s.offer(lo, lo+2, littleField, v)
	s.offer(lo, lo+2, bigField, uint64(b[lo])<<8|uint64(b[lo+1]))
	if left < 4 {
		return
	}
	if b[lo] == 0 { // larger ones are not believable
		big := uint64(b[lo+1])<<16 | uint64(b[lo+2])<<8 | uint64(b[lo+3])
		s.offer(lo, lo+4, bigField, big)
		if big == 0 && left >= 8 {
			s.offer(lo, lo+8, bigField, load(b[lo+4:lo+8], true))
		}
	}
	if b[lo+3] == 0 {
		v |= uint64(b[lo+2]) << 16
		s.offer(lo, lo+4, littleField, v)
		if left >= 8 && load8(b[lo:])>>32 == 0 {
			s.offer(lo, lo+8, littleField, v)
		}
	}
}

// maxLengthDigits is how long a decimal length may be.
const maxLengthDigits = 9

func (s *fieldSearch) decimal(b []byte, lo int) {
	v, hi := uint64(0), lo
	for ; hi < len(b) && hi-lo < maxLengthDigits && classes[b[hi]]&digit != 0; hi++ {
		v = v*10 + uint64(b[hi]-'0')
	}
	s.offer(lo, hi, decimalField, v)
}

// fixLengths tells some of the fields before m.at that b has grown or shrunk there since it was before bytes long. It
// does so only now and then: a length that is wrong is a case of its own.
func fixLengths(m *Material, b []byte, before int) []byte {
	if !m.Rand.Chance(1, fixFieldsIn) {
		return b
	}
	n, at := len(b)-before, min(m.at, len(b))
	limit := at
	for range m.Rand.Geometric(nestedParts) {
		s := fieldSearch{m: m, least: at + max(-n, 0), most: before + fieldSlack, exact: before}
		s.search(b, limit, m.fields)
		if s.total == 0 || s.best.value+n < 0 {
			break
		}
		out, ok := putField(m, b, s.best, uint64(s.best.value+n))
		if !ok {
			break
		}
		m.trace("fix-length")
		b, limit = out, s.best.lo
	}
	return b
}

// putField writes another value into a field. An integer of a fixed size is cut; ok is false if that leaves it as it is.
func putField(m *Material, b []byte, f field, v uint64) (out []byte, ok bool) {
	var text [maxDigits + 1]byte
	switch f.form {
	case uvarintField:
		n := 0
		for ; v >= 0x80; v >>= 7 {
			text[n] = byte(v) | 0x80
			n++
		}
		text[n] = byte(v)
		return replace(m, b, f.lo, f.hi, text[:n+1])
	case decimalField:
		at := len(text)
		for {
			at--
			text[at] = byte('0' + v%10)
			if v /= 10; v == 0 {
				break
			}
		}
		return replace(m, b, f.lo, f.hi, text[at:])
	}
	s, big := b[f.lo:f.hi], f.form == bigField
	if (load(s, big)^v)<<(64-8*len(s)) == 0 {
		return b, false
	}
	store(s, v, big)
	return b, true
}

// lengthField changes what looks like the length of a part to one that code is likely to get wrong.
func lengthField(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := 1 + m.Rand.Intn(len(b))
	forms := textFields
	if m.fields == binaryFields || m.Rand.Bool() {
		forms = binaryFields
	}
	s := fieldSearch{m: m, least: at, most: len(b) + fieldSlack, exact: len(b)}
	s.search(b, at, forms)
	if s.total == 0 {
		return b, false
	}
	return putField(m, b, s.best, m.badLength(len(b)-s.best.hi, s.best.value))
}

// badLength returns a length for a part where left bytes follow and v was the length.
func (m *Material) badLength(left, v int) uint64 {
	switch m.Rand.Intn(8) {
	case 0:
		return uint64(m.Rand.Intn(2))
	case 1:
		return uint64(left)
	case 2:
		return uint64(left) + 1
	case 3:
		return uint64(max(left-1, 0))
	case 4:
		return 2 * uint64(v)
	case 5:
		return uint64(v) + step(m.Rand)
	case 6: // the largest of a signed number, of any width
		return 1<<(8<<m.Rand.Intn(4)-1) - 1
	}
	return ^uint64(0)
}

// putLength writes the length of all, or of what follows, somewhere into the first bytes.
func putLength(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	width := min(1<<m.Rand.Intn(4), len(b))
	lo := m.Rand.Intn(min(len(b)-width+1, fieldReach))
	v := uint64(len(b))
	if m.Rand.Bool() {
		v -= uint64(lo + width)
	}
	if m.Rand.Chance(1, 4) {
		v += uint64(m.Rand.Intn(3)) - 1
	}
	f := field{lo: lo, hi: lo + width}
	if m.Rand.Bool() {
		f.form = bigField
	}
	return putField(m, b, f, v)
}

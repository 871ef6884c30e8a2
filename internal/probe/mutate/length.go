package mutate

// fieldForms are the forms in which the length of a part may be written in an argument.
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
	fieldReach  = 64 // a field is at most so many bytes before the change
	fieldNear   = 16 // and half of the time it is looked for among so many
	fieldSlack  = 16 // a part may end so many bytes behind the end: a trailer that is missing, a header that is counted
	fixFieldsIn = 4  // 1/fixFieldsIn of the insertions and deletions adjust the fields before them
	nestedParts = 3  // fields that one change adjusts at most
	inexactIn   = 8  // if a field counts all that follows, 1/inexactIn of the choices are made among the other fields
)

// fieldSearch collects the candidates: every field for which the part that it counts ends in [least, most].
type fieldSearch struct {
	fieldSpan
	found, right   int               // how many there are, and how many end at exact
	fields, exacts [maxOffered]field // the last ones of them
}

// maxOffered is how many candidates are remembered. Those nearest to the change replace those that are farther away.
const maxOffered = 8

// fieldSpan says where a part has to end: in [least, most], preferably at exact.
type fieldSpan struct{ least, most, exact int }

// reset begins a new search.
func (s *fieldSearch) reset(span fieldSpan) { s.fieldSpan, s.found, s.right = span, 0, 0 }

// offer notes the field b[lo:hi] with the value v if it is a candidate.
func (s *fieldSearch) offer(lo, hi int, form fieldForm, v int) {
	end := hi + v
	if uint(end-s.least) > uint(s.most-s.least) {
		return
	}
	if end == s.exact {
		s.exacts[s.right%maxOffered] = field{lo, hi, form, v}
		s.right++
		return
	}
	s.fields[s.found%maxOffered] = field{lo, hi, form, v}
	s.found++
}

// pick returns one of the candidates, mostly one that ends at exact.
func (s *fieldSearch) pick(r *Rand) (f field, ok bool) {
	switch {
	case s.right > 0 && (s.found == 0 || !r.Chance(1, inexactIn)):
		return s.exacts[r.Intn(min(s.right, maxOffered))], true
	case s.found > 0:
		return s.fields[r.Intn(min(s.found, maxOffered))], true
	}
	return field{}, false
}

// outer returns a field that lies before limit, which is that of a part around another one if both end at exact.
func (s *fieldSearch) outer(limit int) (f field, ok bool) {
	for i := min(s.right, maxOffered) - 1; i >= 0; i-- {
		if s.exacts[i].hi <= limit && (!ok || s.exacts[i].hi > f.hi) {
			f, ok = s.exacts[i], true
		}
	}
	return f, ok
}

// search looks for fields in b[lo:limit].
func (s *fieldSearch) search(b []byte, lo, limit int, forms fieldForms) {
	switch {
	case s.least > s.most:
	case forms == textFields:
		for ; lo < limit; lo++ {
			if isDigit(b[lo]) && (lo == 0 || !isDigit(b[lo-1])) {
				s.decimal(b[:limit], lo)
			}
		}
	case s.most < 1<<8:
		s.small(b[:limit], lo)
	default:
		s.large(b[:limit], lo)
	}
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// widestField is the size of the widest integer.
const widestField = 8

// small looks for fields in a buffer so short that all bytes of an integer but the lowest are zero. With its bytes in
// big-endian order it ends behind that one, whatever its size.
func (s *fieldSearch) small(b []byte, lo int) {
	span := uint(s.most - s.least + widestField - 1)
	for ; lo < len(b); lo++ {
		c := b[lo]
		if isDigit(c) && (lo == 0 || !isDigit(b[lo-1])) {
			s.decimal(b, lo)
		}
		if uint(lo+widestField+int(c)-s.least) > span {
			continue
		}
		first := lo // of the zeros before it
		for end := max(lo-widestField+1, 0); first > end && b[first-1] == 0; {
			first--
		}
		last := lo + 1 // of the zeros behind it
		for end := min(lo+widestField, len(b)); last < end && b[last] == 0; {
			last++
		}
		for width := 1; width <= widestField; width *= 2 {
			if lo+1-width >= first {
				s.offer(lo+1-width, lo+1, bigField, int(c))
			}
			if width > 1 && lo+width <= last {
				s.offer(lo, lo+width, littleField, int(c))
			}
		}
		if c >= 0x80 && lo+1 < len(b) && b[lo+1] < 0x80 {
			s.offer(lo, lo+2, uvarintField, int(c&0x7f)|int(b[lo+1])<<7)
		}
	}
}

// large looks for integers of up to three bytes that are not zero.
func (s *fieldSearch) large(b []byte, lo int) {
	top := byte(min(s.most>>8, 0xff)) // the highest byte of a number of two bytes is not larger
	for ; lo+1 < len(b); lo++ {
		c, d := b[lo], b[lo+1]
		if isDigit(c) && (lo == 0 || !isDigit(b[lo-1])) {
			s.decimal(b, lo)
		}
		s.offer(lo, lo+1, littleField, int(c))
		if c <= top {
			s.offer(lo, lo+2, bigField, int(c)<<8|int(d))
		}
		if d <= top {
			s.offer(lo, lo+2, littleField, int(d)<<8|int(c))
		}
		if c >= 0x80 && d < 0x80 {
			s.offer(lo, lo+2, uvarintField, int(c&0x7f)|int(d)<<7)
		}
		if lo+4 <= len(b) && (c == 0 || b[lo+3] == 0) {
			s.wide(b, lo)
		}
	}
	if lo < len(b) {
		s.offer(lo, lo+1, littleField, int(b[lo]))
	}
}

// wide offers integers of four and eight bytes that begin at lo, of which five at most are not zero.
func (s *fieldSearch) wide(b []byte, lo int) {
	if b[lo] == 0 {
		v := int(b[lo+1])<<16 | int(b[lo+2])<<8 | int(b[lo+3])
		s.offer(lo, lo+4, bigField, v)
		if v == 0 && lo+8 <= len(b) && b[lo+4] == 0 {
			s.offer(lo, lo+8, bigField, int(b[lo+5])<<16|int(b[lo+6])<<8|int(b[lo+7]))
		}
	}
	if b[lo+3] == 0 {
		v := int(b[lo]) | int(b[lo+1])<<8 | int(b[lo+2])<<16
		s.offer(lo, lo+4, littleField, v)
		if lo+8 <= len(b) && load8(b[lo:])>>32 == 0 {
			s.offer(lo, lo+8, littleField, v)
		}
	}
}

// maxLengthDigits is how long a decimal length may be.
const maxLengthDigits = 9

func (s *fieldSearch) decimal(b []byte, lo int) {
	v, hi := 0, lo
	for ; hi < len(b) && hi-lo < maxLengthDigits && isDigit(b[hi]); hi++ {
		v = v*10 + int(b[hi]-'0')
	}
	s.offer(lo, hi, decimalField, v)
}

// fixLengths adjusts some of the fields before m.at to b, which was before bytes long and has grown or shrunk at m.at. It does
// so with the probability 1/fixFieldsIn only: a wrong length is a case of its own for the target.
func fixLengths(m *Material, b []byte, before int) []byte {
	if !m.Rand.Chance(1, fixFieldsIn) {
		return b
	}
	n, at := len(b)-before, min(m.at, len(b))
	return m.adjustFields(b, at, fieldSpan{at + max(-n, 0), before + fieldSlack, before}, n)
}

// adjustFields adds n to some of the fields before limit, since the parts that they count have grown by n bytes: to one of
// them, and perhaps to those around it.
func (m *Material) adjustFields(b []byte, limit int, span fieldSpan, n int) []byte {
	s := &m.search
	s.reset(span)
	s.search(b, searchStart(m.Rand, limit), limit, m.plan.fields)
	f, ok := s.pick(m.Rand)
	for range m.Rand.Geometric(nestedParts) {
		if !ok || f.value+n < 0 {
			break
		}
		out, changed := putField(m, b, f, uint64(f.value+n))
		if !changed {
			break
		}
		m.trace("fix-length")
		b = out
		f, ok = s.outer(f.lo)
	}
	return b
}

// searchStart returns where the search for fields that end at limit or before begins: half of the time it is near.
func searchStart(r *Rand, limit int) int {
	if r.Bool() {
		return max(limit-fieldNear, 0)
	}
	return max(limit-fieldReach, 0)
}

// putField writes another value into a field. It cuts the value to the size of an integer field; ok is false if the field does
// not change.
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
		at := putDigits(text[:], v)
		return replace(m, b, f.lo, f.hi, text[at:])
	}
	s, big := b[f.lo:f.hi], f.form == bigField
	if (load(s, big)^v)<<(64-8*len(s)) == 0 {
		return b, false
	}
	store(s, v, big)
	return b, true
}

// lengthField replaces what looks like the length of a part by a value that code is likely to handle wrongly.
func lengthField(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := 1 + m.Rand.Intn(len(b))
	forms := textFields
	if m.plan.fields == binaryFields || m.Rand.Bool() {
		forms = binaryFields
	}
	s := &m.search
	s.reset(fieldSpan{at, len(b) + fieldSlack, len(b)})
	s.search(b, searchStart(m.Rand, at), at, forms)
	f, ok := s.pick(m.Rand)
	if !ok {
		return b, false
	}
	return putField(m, b, f, badLength(m.Rand, len(b)-f.hi, f.value))
}

// badLength returns a length for a part where left bytes follow and v was the length.
func badLength(r *Rand, left, v int) uint64 {
	switch r.Intn(8) {
	case 0:
		return uint64(r.Intn(2))
	case 1:
		return uint64(left)
	case 2:
		return uint64(left) + 1
	case 3:
		return uint64(max(left-1, 0))
	case 4:
		return 2 * uint64(v)
	case 5:
		return uint64(v) + step(r)
	case 6: // the largest of a signed number, of any width
		return 1<<(8<<r.Intn(4)-1) - 1
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

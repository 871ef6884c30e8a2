package mutate

const (
	// maxNewFields is how many fields one step inserts at most: a target that reads several of them in a row often shows
	// nothing new until it has all of them.
	maxNewFields = 4
	// maxNewContent is the size in bytes of what one new field counts, unless it is a copy.
	maxNewContent = 8
)

// insertField inserts some fields next to an existing one, each with its length before it in the form of that one, and adjusts
// the lengths of the parts around them: SSH, TLS and most binary formats nest in this way. Other operators insert either bytes
// that no length counts or a length that counts nothing, and a reader stops at both.
func insertField(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	limit := 1 + m.Rand.Intn(len(b))
	s := &m.search
	s.reset(fieldSpan{limit, len(b), len(b)})
	s.search(b, searchStart(m.Rand, limit), limit, binaryFields)
	f, ok := s.pick(m.Rand)
	if !ok || f.form != bigField && f.form != littleField {
		return b, false
	}
	width, size := f.hi-f.lo, 0 // of the content
	asCopy := m.Rand.Chance(1, 4)
	switch {
	case asCopy:
		size = f.value
	case m.Rand.Bool():
		size = 1 + m.Rand.Intn(maxNewContent)
	}
	count := 1 + m.Rand.Intn(maxNewFields)
	n := count * (width + size)
	if n > m.room(b) {
		return b, false
	}
	end := f.hi + f.value
	b = openGap(b, end, n)
	if asCopy {
		copy(b[end:], b[f.lo:end])
	} else {
		store(b[end:end+width], uint64(size), f.form == bigField)
		fillContent(m.Rand, b[end+width:end+width+size])
	}
	for done := width + size; done < n; {
		done += copy(b[end+done:end+n], b[end:end+done])
	}
	b = m.adjustFields(b, f.lo, fieldSpan{end, len(b) - n + fieldSlack, end}, n)
	m.at = -1 // the fields are adjusted already
	return b, true
}

// fillContent fills the content of a new field with zeros or with random bytes.
func fillContent(r *Rand, b []byte) {
	clear(b)
	if r.Bool() {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	}
}

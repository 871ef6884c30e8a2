package compare

// metBits is the size of the set of comparisons that were met: 128 KiB, which the cache of a core holds beside the
// target. Two that share a bit cost a suggestion now and then.
const metBits = 1 << 20

// Met knows which comparisons were in a log before. Its zero value knows none. It is not safe for concurrent use.
type Met struct {
	bits  []uint64 // set of hashes of places in the program, with what was nothing there
	fresh []Record
}

// Unmet returns the records of a log from places that are in none before, and knows them from then on. What is read as a number
// is a place of its own for each number, so it does not count. The result is valid until the next call, and the strings in it
// until the next [Log.Start].
//
// Most logs have none. So this looks at all that was recorded without making records of it.
//
//go:norace
func (m *Met) Unmet(l *Log) []Record {
	if m.bits == nil {
		m.bits = make([]uint64, metBits/64)
	}
	m.fresh = m.fresh[:0]
	seen := l.raw[:l.kept]
	for i := range seen {
		if r := &seen[i]; r.op != Number && !m.has(r.sight()) {
			m.fresh = append(m.fresh, l.record(r))
		}
	}
	if len(m.fresh) == 0 {
		return nil
	}
	for i := range seen {
		if r := &seen[i]; r.op != Number {
			bit := r.sight()
			m.bits[bit/64] |= 1 << (bit % 64)
		}
	}
	return m.fresh
}

func (m *Met) has(bit uint64) bool { return m.bits[bit/64]&(1<<(bit%64)) != 0 }

// sight returns the bit of the place of a comparison, and of which of its sides are empty or zero: a value that was missing
// is progress too.
//
//go:norace
func (r *raw) sight() uint64 {
	h := uint64(r.site) * 4
	if r.a != 0 || r.la > 0 {
		h++
	}
	if r.b != 0 || r.lb > 0 {
		h += 2
	}
	return h * 0x9e3779b97f4a7c15 >> 44 // the highest 20 bits of a multiplicative hash
}

package compare

// seenBits is the size of the set of comparisons that were seen: 128 KiB, which the cache of a core holds beside the
// target. Two that share a bit cost a suggestion now and then.
const seenBits = 1 << 20

// Seen knows which comparisons were in a log before. Its zero value knows none. It is not safe for concurrent use.
type Seen struct {
	bits  []uint64 // set of hashes of places in the program, with which side was empty or zero there
	fresh []Record
}

// New returns the records of a log from places that were in no log before, and knows them from then on. What is read as a number
// is a place of its own for each number, so it does not count. The result is valid until the next call, and the strings in it
// until the next [Log.Start].
//
// Most logs have none. So this looks at all that was recorded without making records of it.
//
//go:norace
func (s *Seen) New(l *Log) []Record {
	if s.bits == nil {
		s.bits = make([]uint64, seenBits/64)
	}
	s.fresh = s.fresh[:0]
	raw := l.raw[:l.kept]
	for i := range raw {
		if r := &raw[i]; r.op != Number && !s.has(r.sight()) {
			s.fresh = append(s.fresh, l.record(r))
		}
	}
	if len(s.fresh) == 0 {
		return nil
	}
	for i := range raw {
		if r := &raw[i]; r.op != Number {
			bit := r.sight()
			s.bits[bit/64] |= 1 << (bit % 64)
		}
	}
	return s.fresh
}

func (s *Seen) has(bit uint64) bool { return s.bits[bit/64]&(1<<(bit%64)) != 0 }

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

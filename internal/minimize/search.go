package minimize

import (
	"encoding/binary"
	"math/bits"

	"github.com/gnaw-fuzz/gnaw/input"
)

// search is the state of one minimization. All candidates pass through its gate, [search.check].
type search struct {
	Options
	best  input.Args
	stats Stats
	pass  *PassStats
	seen  [2]map[uint64]struct{} // hashes of candidates: the newer and the older half of the memory
	half  int                    // how many hashes one half may hold

	frames  map[int]*frame // of the buffer arguments that were cut in the pass at hand
	guesses int            // candidates that may still be checked with lengths that are not proven

	// Storage of a candidate until it is known to be new, and of its packed form.
	scratch []byte
	trial   input.Args
	packed  []byte
}

// seenHalf is the size of one half of the memory of candidates. Half a million of hashes take about 20 MB; few
// minimizations get that far.
const seenHalf = 1 << 18

func newSearch(a input.Args, o Options) *search {
	s := &search{Options: o, best: a, half: seenHalf, frames: map[int]*frame{}, guesses: maxGuesses}
	s.seen[0] = map[uint64]struct{}{}
	s.stats.Passes = make([]PassStats, len(passes))
	for i := range passes {
		s.stats.Passes[i].Name = passes[i].name
	}
	s.isNew(a)
	return s
}

// run applies one pass to each argument that it is for.
func (s *search) run(i int) {
	if s.RemoveOnly && !passes[i].removes {
		return
	}
	s.pass = &s.stats.Passes[i]
	s.renew()
	for arg := range s.best {
		if !s.stats.Stopped && passes[i].on(&s.best[arg]) {
			passes[i].apply(s, arg)
		}
	}
}

// data is the current content of a buffer argument. It is never modified, only replaced.
func (s *search) data(arg int) []byte { return s.best[arg].Data }

// tryData proposes other content for a buffer argument. It copies what it keeps.
func (s *search) tryData(arg int, data []byte) bool {
	v := s.best[arg]
	v.Data = data
	return s.try(arg, v)
}

// tryCut proposes to replace the bytes from lo to hi of a buffer argument, as it is or with lengths and checksums corrected. What is
// beyond the end is left out: lengths before the bytes may have become shorter since the caller has looked.
func (s *search) tryCut(arg, lo, hi int, with []byte) bool {
	if s.stats.Stopped {
		return false
	}
	d := s.data(arg)
	hi = min(hi, len(d))
	lo = min(lo, hi)
	s.scratch = append(s.scratch[:0], d[:lo]...)
	s.scratch = append(s.scratch, with...)
	s.scratch = append(s.scratch, d[hi:]...)
	if !s.FixLengths {
		return s.tryData(arg, s.scratch)
	}
	f, c := s.frame(arg), cut{lo, hi, with}
	if s.tryData(arg, s.scratch) {
		s.frames[arg] = f.after(s.data(arg), []cut{c}, nil)
		return true
	}
	return s.tryCorrected(arg, c)
}

// tryBits proposes another value for a number.
func (s *search) tryBits(arg int, bits uint64) bool {
	v := s.best[arg]
	v.Bits = bits
	return s.try(arg, v)
}

// try proposes another value for one argument. It becomes part of the best tuple if it is simpler and the check holds.
func (s *search) try(arg int, v input.Value) bool {
	if s.stats.Stopped || !simpler(&v, &s.best[arg]) {
		return false
	}
	s.trial = append(s.trial[:0], s.best...)
	s.trial[arg] = v
	if !s.isNew(s.trial) {
		s.stats.Repeats++
		return false
	}
	cand := append(input.Args(nil), s.trial...)
	if v.Kind.IsBuffer() {
		cand[arg].Data = append([]byte{}, v.Data...)
	}
	if !s.check(cand) {
		return false
	}
	s.best = cand
	return true
}

// check is the only place that calls Check: it keeps the limits and counts.
func (s *search) check(cand input.Args) bool {
	if s.MaxChecks > 0 && s.stats.Checks >= s.MaxChecks || s.Deadline != nil && s.Deadline() {
		s.stats.Stopped = true
		return false
	}
	s.stats.Checks++
	s.pass.Tries++
	if !s.Check(cand) {
		return false
	}
	s.stats.Hits++
	s.pass.Hits++
	return true
}

// isNew reports whether the tuple has not been seen before, and remembers it.
func (s *search) isNew(a input.Args) bool {
	s.packed = input.Append(s.packed[:0], a)
	h := hash(s.packed)
	for _, m := range s.seen {
		if _, ok := m[h]; ok {
			return false
		}
	}
	if len(s.seen[0]) >= s.half {
		s.seen[0], s.seen[1] = map[uint64]struct{}{}, s.seen[0]
	}
	s.seen[0][h] = struct{}{}
	return true
}

// hash is not protected against inputs that are made to collide: a collision means one candidate less. Unlike that of
// hash/maphash it is the same each time, and so is the result. The factor is the odd integer nearest to 2^64 divided by
// the golden ratio.
func hash(b []byte) uint64 {
	const factor = 0x9e3779b97f4a7c15
	h := uint64(len(b))
	mix := func(word uint64) {
		hi, lo := bits.Mul64(h^word, factor)
		h = hi ^ lo + factor
	}
	for ; len(b) >= 8; b = b[8:] {
		mix(binary.LittleEndian.Uint64(b))
	}
	var tail [8]byte
	copy(tail[:], b)
	mix(binary.LittleEndian.Uint64(tail[:]))
	return h
}

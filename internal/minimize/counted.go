package minimize

import (
	"bytes"
	"math/bits"
	"slices"
)

const (
	// maxGuesses is how many candidates with lengths that are not proven may fail before no more are tried; one that is accepted
	// makes up for guessPrize of them.
	maxGuesses = 600
	guessPrize = 100
	// maxDoubtful is how many lengths that are not proven are tried together, those nearest to the cut.
	maxDoubtful = 6
	// maxCombinations is how many of their combinations are tried for one cut while none is proven, and otherwise.
	maxCombinations, maxMoreCombinations = 24, 6
)

// frame returns the frame of a buffer argument as it is now.
func (s *search) frame(arg int) *frame {
	if f := s.frames[arg]; f == nil || !bytes.Equal(f.data, s.data(arg)) { // the content as a whole was replaced
		s.frames[arg] = newFrame(s.data(arg), nil)
	}
	return s.frames[arg]
}

// renew looks for lengths and checksums once more, as at the beginning of a pass: what was proven and what has changed may show more
// of them.
func (s *search) renew() {
	for arg, f := range s.frames {
		if slices.ContainsFunc(f.fields, func(c field) bool { return c.proven }) {
			s.frames[arg] = newFrame(f.data, f.provenFields())
		} else {
			delete(s.frames, arg)
		}
	}
}

// tryCorrected proposes a cut with lengths and checksums corrected: all that may count what is cut, or only what is proven.
func (s *search) tryCorrected(arg int, c cut) bool {
	proven, doubtful := s.counting(arg, c)
	if len(doubtful) > 0 && s.tryFields(arg, c, slices.Concat(proven, doubtful), true) {
		return true
	}
	return s.tryFields(arg, c, proven, false)
}

// counting returns the fields that count bytes which a cut removes, and those of them apart that are not proven.
func (s *search) counting(arg int, c cut) (proven, doubtful []field) {
	for _, f := range s.frame(arg).counting(c) {
		if f.proven {
			proven = append(proven, f)
		} else {
			doubtful = append(doubtful, f)
		}
	}
	return proven, doubtful[max(0, len(doubtful)-maxDoubtful):]
}

// tryFields proposes a cut with some fields and the checksums corrected. A guess is one with fields that are not proven.
func (s *search) tryFields(arg int, c cut, fields []field, isGuess bool) bool {
	f := s.frame(arg)
	if s.stats.Stopped || isGuess && s.guesses <= 0 {
		return false
	}
	cuts, ok := f.corrected(c, slices.Clone(fields))
	if !ok {
		return false
	}
	d := f.apply(cuts)
	if !f.sum(d) && len(fields) == 0 {
		return false // as it was
	}
	checks := s.stats.Checks
	if s.tryData(arg, d) {
		s.frames[arg] = f.after(s.data(arg), cuts, fields)
		s.guesses = min(s.guesses+guessPrize, maxGuesses)
		return true
	}
	if isGuess {
		s.guesses -= s.stats.Checks - checks
	}
	return false
}

// dropCounted removes what lengths count, in whole or in part, or the length with it. It learns which numbers are lengths: at first it tries
// those that may well be, then each number that may be one at all.
func dropCounted(s *search, arg int) {
	if !s.FixLengths {
		return
	}
	for i := len(s.frame(arg).fields) - 1; i >= 0 && !s.stats.Stopped; i-- {
		if fields := s.frame(arg).fields; i < len(fields) && !fields[i].proven {
			s.dropPart(arg, fields[i])
		}
	}
	for lo := len(s.data(arg)) - 1; lo >= 0 && !s.stats.Stopped; lo-- {
		if lo < len(s.data(arg)) && !s.dropCountedAt(arg, lo) {
			s.dropShort(arg, lo)
		}
	}
}

// dropCountedAt takes what stands at a place for a length, in each way in which it may be one. In text it is a decimal number.
func (s *search) dropCountedAt(arg, lo int) (done bool) {
	isText := isTextBuffer(&s.best[arg])
	fieldsAt(s.data(arg), lo, func(f field) {
		if !done && f.end <= len(s.data(arg)) && (f.form == digits10 || !isText) {
			done = s.dropItem(arg, f) || s.dropPart(arg, f)
		}
	})
	return done
}

// dropShort removes a few bytes from what proven lengths count, such as a tag and a length that is zero.
func (s *search) dropShort(arg, lo int) {
	for size := 2; size <= maxShort && lo+size <= len(s.data(arg)); size++ {
		c := cut{lo, lo + size, nil}
		if proven, _ := s.counting(arg, c); len(proven) == 0 || s.tryFields(arg, c, proven, false) {
			return
		}
	}
}

// maxShort is the size of a tag and a length of four bytes each.
const maxShort = 8

// dropPart removes something of the part that a field counts.
func (s *search) dropPart(arg int, f field) bool {
	from := f.end - int(min(f.value(s.data(arg)), uint64(f.end-f.hi)))
	for _, lo := range [...]int{from, from + (f.end-from)/2, f.end - 1} {
		if lo < f.end && s.tryCombined(arg, cut{lo, f.end, nil}, []field{f}) {
			return true
		}
	}
	return false
}

// dropItem removes a field with the part that it counts, and a tag before it.
func (s *search) dropItem(arg int, f field) bool {
	for tag := 0; tag <= min(maxTag, f.lo); tag++ {
		if s.tryCombined(arg, cut{f.lo - tag, f.end, nil}, nil) {
			return true
		}
	}
	return false
}

// tryCombined proposes a cut with the given fields corrected, those that are proven, and others: all of them, none, or some.
func (s *search) tryCombined(arg int, c cut, with []field) bool {
	proven, doubtful := s.counting(arg, c)
	apart := func(f field) bool { return slices.ContainsFunc(with, f.overlaps) }
	fixed := slices.Concat(slices.DeleteFunc(proven, apart), with)
	doubtful = slices.DeleteFunc(doubtful, apart)
	left := maxCombinations
	if len(proven) > 0 {
		left = maxMoreCombinations
	}
	for _, set := range combinations(len(doubtful)) {
		fields := slices.Clone(fixed)
		for i, f := range doubtful {
			if set>>i&1 != 0 {
				fields = append(fields, f)
			}
		}
		if s.tryFields(arg, c, fields, set != 0) {
			return true
		}
		if left--; left == 0 {
			break
		}
	}
	return false
}

// combinations lists the sets of n elements as bits: that of all, the empty one, and the others, the larger ones first.
func combinations(n int) (sets []uint) {
	for set := range uint(1) << n {
		sets = append(sets, set)
	}
	rank := func(set uint) int {
		if set == 0 && n > 0 {
			return 1 // behind the one of all
		}
		return 2 * (n - bits.OnesCount(set))
	}
	slices.SortStableFunc(sets, func(a, b uint) int { return rank(a) - rank(b) })
	return sets
}

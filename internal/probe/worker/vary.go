package worker

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

const (
	// minVary is the number of executions below which a request spends all on suggestions, and none on variants.
	minVary = 240
	// maxColoring and colorTime limit the executions and the time of coloring an entry.
	maxColoring = 1024
	colorTime   = 50 * time.Millisecond
	// recolorings is how many more variants are executed. With the entry and its first variant there are four points, of which
	// two determine a line. recolorTries limits how many inputs are made: some of them take another path.
	recolorings  = 2
	recolorTries = 8
	// sumChanges is how many bytes near a field are changed at most to see whether it is a checksum. 1/sumChangesBefore of them are
	// behind the field, the others before it.
	sumChanges       = 12
	sumChangesBefore = 4
	// variedLengths is the number of buffers of which the length is varied.
	variedLengths = 2
)

// repeat executes the entry twice more: once without logging comparisons, since logging may take branches of its own in hooked
// functions, and once with it. It notes what differs. It reports whether there are executions for variants.
func (s *study) repeat() bool {
	if s.run.left() < minVary {
		return false
	}
	s.shown = slices.Clone(s.run.trace)
	if !s.attempt(s.mut.base, false) {
		return false
	}
	s.unstable = difference(s.shown, s.run.trace)
	if !s.attempt(s.mut.base, true) {
		return false
	}
	s.list.log.Repeat(s.run.log.Records())
	s.rand = mutate.NewRand(s.m.ID)
	return true
}

// samePath reports whether the last execution showed what the entry does.
func (s *study) samePath() bool { return contains(s.unstable, difference(s.shown, s.run.trace)) }

// color finds out which parts of the entry make no difference, unless that is known. It reports whether it is known now.
func (s *study) color() bool {
	if s.colors[s.m.ID] != nil {
		return true
	}
	// If some of the suggestions count as tried, a variant may have ended the process, and would do so again.
	if s.m.Skip > 0 {
		return false
	}
	if s.colors == nil || len(s.colors) >= maxRemembered {
		s.colors = map[uint64]*solve.Colors{}
	}
	base := s.mut.base
	s.colors[s.m.ID] = &solve.Colors{Args: base.Clone(), Cold: make([][]bool, len(base))} // if a variant fails
	c := s.colorize()
	if s.ended() {
		return false
	}
	s.colors[s.m.ID] = c
	return true
}

// colorize replaces what makes no difference in the entry.
func (s *study) colorize() *solve.Colors {
	base := s.mut.base
	if s.setup.Without.Has(technique.Colorize) {
		return &solve.Colors{Args: base.Clone(), Cold: solve.Digits(base)}
	}
	budget := min(2*base.Size(), maxColoring)
	if s.run.limit > 0 {
		budget = min(budget, int(s.run.left())/4)
	}
	start := time.Now()
	c := solve.Colorize(base, s.rand, budget, func(a input.Args) bool {
		late := !s.setup.NoClock && time.Since(start) > colorTime
		return !late && s.attempt(a, false) && s.samePath()
	})
	return &c
}

// vary adds to the log what variants of the entry compare that take the same path. It reports whether the first of them passed.
func (s *study) vary() bool {
	c, log := s.colors[s.m.ID], &s.list.log
	if !s.attempt(c.Args, true) {
		return false
	}
	log.Vary(c.Args, s.run.log.Records())
	anyPath := s.setup.Without.Has(technique.Colorize)
	left := recolorings
	for range recolorTries {
		if left == 0 || !c.Any() { // nothing is known to be cold if a variant failed
			break
		}
		if a := solve.Recolor(s.mut.base, c.Cold, s.rand); s.attempt(a, true) && (anyPath || s.samePath()) {
			log.Vary(a, s.run.log.Records())
			left--
		}
	}
	return true
}

// varyLengths adds to the log what is compared when a buffer is a little longer.
func (s *study) varyLengths() bool {
	left := variedLengths
	for i := range s.mut.base {
		if !s.mut.base[i].Kind.IsBuffer() || left == 0 || s.setup.Without.Has(technique.Affine) {
			continue
		}
		left--
		for _, more := range [2]int{1, 3} {
			a := s.mut.base.Clone()
			last := byte('0')
			if n := len(a[i].Data); n > 0 {
				last = a[i].Data[n-1]
			}
			for range more {
				a[i].Data = append(a[i].Data, last)
			}
			if len(a[i].Data) <= s.mut.growLimit() && s.attempt(a, true) {
				s.list.log.VaryLength(a, s.run.log.Records(), i)
			}
		}
	}
	return true
}

// findChecksums looks for fields that are checksums: those that are wrong in the variants, and those that are right in the entry
// and wrong after a change of bytes around them. The latter are looked for once per entry.
func (s *study) findChecksums() bool {
	s.checksums.Find(&s.list.log, s.mut.base)
	if s.checked[s.m.ID] {
		return true
	}
	for _, c := range s.candidates {
		s.check(c)
	}
	if !s.ended() && !s.run.finished() {
		s.checked = remember(s.checked, s.m.ID)
	}
	return true
}

// check changes bytes around a field, most of them before it, to see whether the field is their checksum.
func (s *study) check(c solve.Candidate) {
	for i := range sumChanges {
		at := c.At - 1 - i
		if i%sumChangesBefore == sumChangesBefore-1 {
			at = c.At + c.Len + i/sumChangesBefore
		}
		if at < 0 || at >= len(s.mut.base[c.Arg].Data) {
			continue
		}
		for _, bit := range [2]byte{0x01, 0x10} {
			a := s.mut.base.Clone()
			a[c.Arg].Data[at] ^= bit
			if !s.attempt(a, true) || s.checksums.Confirm(c, s.run.log.Records()) {
				return
			}
		}
	}
}

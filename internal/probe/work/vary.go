package work

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// minVary: a request that allows fewer executions spends them on suggestions, not on variants.
	minVary = 240
	// maxColoring and colorTime limit what it may cost to colorize an entry.
	maxColoring = 1024
	colorTime   = 50 * time.Millisecond
	// recolorings: with the entry and its first variant they are four points, of which two determine a line.
	// What can be replaced by one thing need not be so by all.
	recolorings  = 2
	recolorTries = 8
	// accusedBytes is how many bytes near a field are changed at most to see whether it is a checksum. All but one in
	// accusedBefore stand before it.
	accusedBytes  = 12
	accusedBefore = 4
	// varyLengths is the number of buffers of which the length is varied.
	varyLengths = 2
	// maxColored is the number of entries of which it is kept what variants have shown.
	maxColored = 256
)

// attempt executes an input beside the mutants and keeps it if it is new. It reports whether there is a trace to look
// at: not if the request allows no more executions.
func (w *worker) attempt(a input.Args, record bool) bool {
	s := &w.solver
	if s.over || s.err != nil || w.finished() {
		return false
	}
	s.recording = record
	s.sizes.begin(a, w.setup.NoClock)
	out := w.once(a)
	s.sizes.end()
	s.recording = false
	if out.failed {
		s.over, s.err = true, w.reportFailure(out, false)
		return false
	}
	first := w.cov.Unknown(w.trace)
	if len(first) == 0 {
		return true
	}
	s.succeed()
	trace := slices.Clone(w.trace)
	s.over, s.err = w.keep(a, first, s.trim)
	w.seg.SetStage(shm.Fuzzing)
	w.trace = append(w.trace[:0], trace...)
	return !s.over && s.err == nil
}

// vary shows the table what variants of the entry compare, and what becomes of suspects.
func (w *worker) vary(m wire.Fuzz, suspects []solve.Suspect) {
	s := &w.solver
	if w.limit > 0 && w.limit-w.spent < minVary {
		return
	}
	base := slices.Clone(w.trace)
	// Once without recording, which may take branches of its own in hooked functions, and once with it.
	if !w.attempt(w.base, false) {
		return
	}
	unstable := difference(base, w.trace)
	if !w.attempt(w.base, true) {
		return
	}
	s.table.Repeat(s.log.Records())
	same := func() bool { return contains(unstable, difference(base, w.trace)) }
	r := mutate.NewRand(m.ID)
	c := s.colors[m.ID]
	if c == nil {
		// Where a variant has ended the process, it would do so again: then some of the suggestions count as tried.
		if m.Skip > 0 {
			return
		}
		if s.colors == nil || len(s.colors) >= maxColored {
			s.colors = map[uint64]*solve.Colors{}
		}
		s.colors[m.ID] = &solve.Colors{Args: w.base.Clone(), Cold: make([][]bool, len(w.base))} // if a variant fails
		if c = w.colorize(r, same); s.over || s.err != nil {
			return
		}
		s.colors[m.ID] = c
	}
	if !w.attempt(c.Args, true) {
		return
	}
	s.table.Vary(c.Args, s.log.Records())
	blind := w.setup.Without.Has(technique.Colorize)
	left := recolorings
	for range recolorTries {
		if left == 0 || !c.Any() { // nothing is known to be cold if a variant failed
			break
		}
		if a := solve.Recolor(w.base, c.Cold, r); w.attempt(a, true) && (blind || same()) {
			s.table.Vary(a, s.log.Records())
			left--
		}
	}
	w.varyLengths()
	s.table.FindChecksums(w.base)
	if s.accused[m.ID] {
		return
	}
	for _, suspect := range suspects {
		w.accuse(suspect)
	}
	if !w.finished() {
		s.accused = marked(s.accused, m.ID)
	}
}

// marked adds an entry to a set of entries, which is emptied when it is full.
func marked(set map[uint64]bool, id uint64) map[uint64]bool {
	if set == nil || len(set) >= maxColored {
		set = map[uint64]bool{}
	}
	set[id] = true
	return set
}

// accuse changes bytes around a field, most likely those before it, to see whether it is their checksum.
func (w *worker) accuse(suspect solve.Suspect) {
	for i := range accusedBytes {
		at := suspect.At - 1 - i
		if i%accusedBefore == accusedBefore-1 {
			at = suspect.At + suspect.Len + i/accusedBefore
		}
		if at < 0 || at >= len(w.base[suspect.Arg].Data) {
			continue
		}
		for _, bit := range [2]byte{0x01, 0x10} {
			a := w.base.Clone()
			a[suspect.Arg].Data[at] ^= bit
			if !w.attempt(a, true) || w.solver.table.Convict(suspect, w.solver.log.Records()) {
				return
			}
		}
	}
}

// colorize replaces what makes no difference in the entry.
func (w *worker) colorize(r *mutate.Rand, same func() bool) *solve.Colors {
	if w.setup.Without.Has(technique.Colorize) {
		return &solve.Colors{Args: w.base.Clone(), Cold: solve.Digits(w.base)}
	}
	budget := min(2*w.base.Size(), maxColoring)
	if w.limit > 0 {
		budget = min(budget, int(w.limit-w.spent)/4)
	}
	start := time.Now()
	c := solve.Colorize(w.base, r, budget, func(a input.Args) bool {
		late := !w.setup.NoClock && time.Since(start) > colorTime
		return !late && w.attempt(a, false) && same()
	})
	return &c
}

// varyLengths shows the table what is compared when a buffer is a little longer.
func (w *worker) varyLengths() {
	left := varyLengths
	for i := range w.base {
		if !w.base[i].Kind.IsBuffer() || left == 0 || w.setup.Without.Has(technique.Affine) {
			continue
		}
		left--
		for _, more := range [2]int{1, 3} {
			a := w.base.Clone()
			last := byte('0')
			if n := len(a[i].Data); n > 0 {
				last = a[i].Data[n-1]
			}
			for range more {
				a[i].Data = append(a[i].Data, last)
			}
			if len(a[i].Data) <= w.growLimit() && w.attempt(a, true) {
				w.solver.table.VaryLength(a, w.solver.log.Records(), i)
			}
		}
	}
}

// difference returns what only one of two ascending lists has.
func difference(a, b []cover.Feature) (only []cover.Feature) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			only, a = append(only, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			only, b = append(only, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return only
}

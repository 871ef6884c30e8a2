package worker

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
)

const (
	// maxEdits: what comparisons suggest for one entry at most. A log with thousands of matches is one of single bytes
	// that stand everywhere in the input, where random mutation does as well.
	maxEdits = 4096
	// maxText is how many bytes they may insert: an edit of all places where a word stands has most of the input.
	maxText = 16 << 20
	// minWide is the size of a suggestion in bytes from which on it is tried before smaller ones.
	minWide = 4
	// maxLoose: how many of them no variant of the entry confirms, if there are variants.
	maxLoose = 1024
)

// suggestions are what the comparisons of the entry at hand suggest: edits, which are tried one after the other.
type suggestions struct {
	seg    *shm.Segment // it knows which one is tried, should that end the process
	log    solve.Log    // what the entry has compared
	solver solve.Solver
	edits  []solve.Edit
	text   []byte // what the edits insert
	tried  uint64 // edits, from the first one on

	open    bool          // a study is under way, which may list more
	found   bool          // a new edge was found while some were pending
	current bool          // the input at hand is a suggestion
	again   bool          // it is a part of one, which is to be made once more
	listed  bool          // they were listed, and what came of them is not booked yet
	worked  map[uint]bool // places in the program of those that have shown something new
	sizes   sizeLimit
}

// reset drops what is known about the entry of the request before.
func (s *suggestions) reset() {
	s.edits, s.text, s.tried = s.edits[:0], s.text[:0], 0
	s.open, s.found, s.listed = false, false, false
	s.current, s.again, s.sizes.fast = false, false, 0
	s.log.Fill(nil)
}

// busy reports whether there are suggestions that were not tried.
func (s *suggestions) busy() bool { return s.tried < uint64(len(s.edits)) }

// pending reports whether there are suggestions that were not tried, or may be some when the study ends.
func (s *suggestions) pending() bool { return s.open || s.busy() }

// next returns the first one that was not tried, and counts it as tried.
func (s *suggestions) next() *solve.Edit {
	s.tried++
	s.seg.SetTried(s.tried)
	return &s.edits[s.tried-1]
}

// succeed notes that the input at hand has shown something new.
func (s *suggestions) succeed() {
	if !s.current || s.tried == 0 {
		return
	}
	if s.worked == nil {
		s.worked = map[uint]bool{}
	}
	s.worked[s.edits[s.tried-1].Site] = true
}

// book notes which places in the program have brought something, once all suggestions for an entry are tried.
func (s *suggestions) book() {
	if !s.listed || s.busy() {
		return
	}
	s.listed = false
	sites := map[uint]bool{}
	for i := range s.edits {
		sites[s.edits[i].Site] = true
	}
	for site := range sites {
		if s.worked[site] {
			s.log.Succeed(site)
		} else {
			s.log.Fail(site)
		}
	}
	clear(s.worked)
}

// fill lists the suggestions. Those that were tried in earlier requests come first in the list too.
func (s *suggestions) fill(base input.Args, skip uint64) {
	loose := 0
	s.solver.Edits(&s.log, base, func(e solve.Edit) bool {
		if !e.Tight && s.log.Varied() {
			loose++
		}
		s.text = append(s.text, e.New...)
		e.New = s.text[len(s.text)-len(e.New) : len(s.text) : len(s.text)]
		s.edits = append(s.edits, e)
		return len(s.edits) < maxEdits && loose < maxLoose && len(s.text) < maxText
	})
	slices.SortStableFunc(s.edits, func(a, b solve.Edit) int { return rank(&a) - rank(&b) })
	s.tried = min(skip, uint64(len(s.edits)))
}

// lastRank is that of suggestions of a few bytes, and of lengths.
const lastRank = 2

// rank tells which suggestions come first: those of words and wide numbers, which are rarely a coincidence and which
// nothing else finds. Random mutation gets at single bytes as well.
func rank(e *solve.Edit) int {
	switch wide := e.Resize < 0 && !e.Near && max(e.Len, len(e.New)) >= minWide; {
	case wide && e.Tight:
		return 0
	case wide:
		return 1
	}
	return lastRank
}

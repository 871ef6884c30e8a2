package worker

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
)

const (
	// maxEdits is how many suggestions one entry has at most. A log with thousands of matches has matches of single bytes
	// that are everywhere in the input, for which random mutation does as well.
	maxEdits = 4096
	// maxText is how many bytes they may insert: an edit of all occurrences of a word has most of the input.
	maxText = 16 << 20
	// minWide is the size in bytes of the smallest suggestion that is tried before others.
	minWide = 4
	// maxLoose is how many of them need not be confirmed by a variant of the entry, if there are variants.
	maxLoose = 1024
)

// suggestions are what the comparisons of the entry at hand suggest: edits, which are tried one after the other.
type suggestions struct {
	seg    *shm.Segment // it has the number of the one that is tried, in case that one ends the process
	log    solve.Log    // what the entry has compared
	solver solve.Solver
	edits  []solve.Edit
	text   []byte // what the edits insert
	tried  uint64 // edits, from the first one on

	open    bool          // a study is under way, which may list more
	found   bool          // a new edge was found while some were pending
	current bool          // the input at hand is a suggestion
	again   bool          // the input at hand is a part of one, which is made once more
	listed  bool          // they were listed, and book was not called since
	worked  map[uint]bool // places in the program of those that have shown something new
	sizes   sizeLimit
}

// reset removes what belongs to the entry of the request before.
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

// book notes which places in the program have led to something new, once all suggestions for an entry are tried.
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

// fill lists the suggestions. The first skip of them count as tried: earlier requests have tried them.
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

// rank orders suggestions. Those of words and wide numbers come first: they are rarely a coincidence, and nothing else finds
// them. Random mutation finds single bytes as well.
func rank(e *solve.Edit) int {
	switch wide := e.Resize < 0 && !e.Near && max(e.Len, len(e.New)) >= minWide; {
	case wide && e.Tight:
		return 0
	case wide:
		return 1
	}
	return lastRank
}

package work

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
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
	// solveIn: one in so many chains of random mutants starts with a replacement that comparisons suggest.
	solveIn = 3
	// strangers are the inputs that tell what is compared whatever the input is: enough for three logs.
	strangers = 12
)

// solver holds what the comparisons of the current entry suggest.
type solver struct {
	log          compare.Log
	usual        compare.Usual
	learned      map[uint64]bool // entries that usual has learned from
	metStrangers bool
	recording    bool
	table        solve.Table
	edits        []solve.Edit
	text         []byte // what the edits insert
	tried        uint64
	studied      bool // the entry was executed with its comparisons recorded
	found        bool // one of the suggestions showed a new edge
	studying     bool // a study is under way: what is new does not end it
	passed       bool // the entry did in it
	suggested    bool // the mutant at hand is a suggestion
	again        bool // it is a part of one, which is to be made once more
	listed       bool // the suggestions were listed, and what comes of them is not booked yet
	over         bool // a variant has failed, or there is no time for the entry: the request is finished
	err          error
	trim         wire.Trim // of the request
	sums         bool      // the entry has checksums that mutants do not come with
	worked       map[uint]bool
	colors       map[uint64]*solve.Colors // of entries
	spoilt       map[uint64]bool          // entries of which a variant has failed
	accused      map[uint64]bool          // entries of which all suspects were looked at
	mutant       input.Args               // being repaired
	follower     follower
	tags         int // of records, that were tried on all entries
	sizes        sizeLimit
	repairing    bool
	repairs      luck              // of mutants that are repaired
	others       luck              // of all others that bursts make
	repaired     map[uint64]uint64 // suggestions for entries that were tried with their checksums repaired
}

// forget drops what is known about the entry of the request before.
func (s *solver) forget() {
	s.edits, s.text, s.tried = s.edits[:0], s.text[:0], 0
	s.studied, s.found, s.studying, s.passed, s.listed, s.over, s.err = false, false, false, false, false, false, nil
	s.suggested, s.again, s.sizes.fast = false, false, 0
	s.table.Fill(nil)
}

// busy reports whether there are suggestions that were not tried.
func (s *solver) busy() bool { return s.tried < uint64(len(s.edits)) }

// suggestion returns one that was not tried. The segment tells which, should it end the process.
func (w *worker) suggestion() *solve.Edit {
	s := &w.solver
	s.tried++
	w.seg.SetTried(s.tried)
	return &s.edits[s.tried-1]
}

// succeed notes that the last suggestion has shown something new.
func (s *solver) succeed() {
	if !s.suggested || s.tried == 0 {
		return
	}
	if s.worked == nil {
		s.worked = map[uint]bool{}
	}
	s.worked[s.edits[s.tried-1].Site] = true
}

// book notes which places in the program have brought something, once all suggestions for an entry are tried.
func (s *solver) book() {
	if !s.listed || s.busy() {
		return
	}
	s.listed = false
	failed := map[uint]bool{}
	for i := range s.edits {
		failed[s.edits[i].Site] = true
	}
	for site := range failed {
		if s.worked[site] {
			s.table.Succeed(site)
		} else {
			s.table.Fail(site)
		}
	}
	clear(s.worked)
}

// study executes the entry once with the comparisons recorded, and lists what they suggest if the request says so. It
// reports whether the request goes on.
func (w *worker) study(m wire.Fuzz) (again bool, err error) {
	s := &w.solver
	_, colored := s.colors[m.ID]
	begin := func() {
		w.seg.SetStage(shm.Fuzzing) // the attempt before may have ended while it trimmed
		s.forget()
		w.words = nil // variants have no words in them
		if !colored {
			delete(s.colors, m.ID)
		}
		s.studied, s.studying, s.trim, s.tried = true, true, m.Trim, m.Skip
		w.seg.SetTried(s.tried)
	}
	var base outcome
	failure := w.near(begin, func() { base = w.compare(m) })
	if base.failed {
		failure = base
	}
	s.studying, s.recording = false, false
	w.cov.Clear() // what listing has called may be instrumented
	if failure.failed {
		if s.over = s.passed; s.over {
			s.spoil(m.ID)
		}
		return false, w.reportFailure(failure, w.seg.Stage() == shm.Trimming)
	}
	return !s.over && s.err == nil, s.err
}

// spoil notes that a variant of an entry has failed, which ends its request: the next one shall get to the mutants.
func (s *solver) spoil(id uint64) { s.spoilt = marked(s.spoilt, id) }

// compare records what the entry and variants of it compare, and executes what that suggests for checksums. It returns
// how the execution of the entry ended.
func (w *worker) compare(m wire.Fuzz) outcome {
	s := &w.solver
	s.table.Without = w.setup.Without
	if out := w.listen(m); out.failed || s.over || s.err != nil {
		return out
	}
	s.table.Fill(s.log.Records())
	w.meet(s.log.Records())
	s.follower.met.Unmet(&s.log)
	spoilt := s.spoilt[m.ID]
	container := mutate.HasContainer(&w.havoc, w.base)
	if (m.Solve || s.table.Sums() && !container) && !spoilt {
		w.vary(m, s.table.Suspects(s.log.Records(), w.base))
		s.over = s.over || w.finished() // nothing is solved without those that are left
		if s.over || s.err != nil {
			return outcome{}
		}
	}
	s.sums = s.table.Sums() && !container // vary may have found one
	if m.Solve {
		s.list(w.base, m.Skip)
		s.listed = true
	}
	if m.Solve && !spoilt && s.follower.due(w.setup.NoClock) {
		s.follower.began = time.Now()
		before := w.spent
		w.follow(m)
		w.descend(m)
		w.spread()
		s.follower.book(time.Since(s.follower.began), w.spent-before)
	}
	if s.sums && !spoilt {
		w.repair(m)
	}
	return outcome{}
}

// listen executes the entry with its comparisons recorded. If those that it makes whatever the input is leave no room for the
// rest, the rest is recorded alone.
func (w *worker) listen(m wire.Fuzz) outcome {
	s := &w.solver
	s.log.Omit(nil)
	out := w.recorded()
	if out.failed {
		return out
	}
	s.passed = true
	if w.setup.Without.Has(technique.Setup) {
		return out
	}
	s.table.Usual = &s.usual
	learned := s.learned[m.ID]
	if !learned {
		s.learned = marked(s.learned, m.ID)
		s.usual.Learn(m.ID, s.log.Records())
	}
	if !s.log.Full() {
		return out
	}
	s.log.Omit(&s.usual)
	if !w.meetStrangers(m) {
		return out
	}
	if s.over = w.finished(); s.over { // the log is that of a stranger
		return out
	}
	if out = w.recorded(); !out.failed && !learned {
		s.usual.Learn(m.ID, s.log.Records())
	}
	return out
}

// meetStrangers has it known what inputs compare that have little in common with the entry, when a log is full for the first
// time: until there are other entries, nothing else tells. What one log has no room for is in the next, without what that one
// showed. It reports whether the request goes on.
func (w *worker) meetStrangers(m wire.Fuzz) bool {
	s := &w.solver
	if s.metStrangers || m.Skip > 0 { // one of them may have ended the process
		return true
	}
	s.metStrangers = true
	r := mutate.NewRand(m.ID)
	for i := range uint64(strangers) {
		if !w.attempt(solve.Recolor(w.base, nil, r), true) {
			break
		}
		s.usual.Learn(^i, s.log.Records())
	}
	return !s.over && s.err == nil
}

// recorded executes the entry once, and records what it compares.
func (w *worker) recorded() outcome {
	w.solver.recording = true
	out := w.once(w.base)
	w.solver.recording = false
	return out
}

// list lists the suggestions. Those that were tried in earlier requests come first in the list too.
func (s *solver) list(base input.Args, skip uint64) {
	loose := 0
	s.table.Edits(base, func(e solve.Edit) bool {
		if !e.Tight && s.table.Varied() {
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

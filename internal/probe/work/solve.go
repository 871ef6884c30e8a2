package work

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
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
	// strangers are the inputs that tell what is compared whatever the input is: enough for three logs.
	strangers = 12
	// varyLengths is the number of buffers of which the length is varied.
	varyLengths = 2
	// maxColored is the number of entries of which it is kept what variants have shown.
	maxColored = 256
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
		w.havoc.ForgetUsed() // variants have no words in them
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
	s.follower.unmet(s.log.Records())
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

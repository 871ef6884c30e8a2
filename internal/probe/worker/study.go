package worker

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// state is where the study of an entry is.
type state uint8

const (
	stateLog       state = iota // execute the entry with its comparisons logged
	stateUnrelated              // the log is full: execute inputs that have little in common with the entry
	stateRest                   // execute the entry again, without what all inputs compare in the log
	stateCompare                // fill the log of the suggestions with what the entry compares
	stateRepeat                 // execute the entry again, to see what differs by itself
	stateColor                  // find out which parts of the entry make no difference
	stateVary                   // execute variants in which these parts differ
	stateLengths                // execute variants that are longer
	stateChecksums              // look for fields that are checksums
	stateList                   // list what the comparisons suggest
	stateChase                  // try the first suggestions, and those of the inputs that they make
	stateDescend                // move compared values closer to wanted ones, step by step
	stateSpread                 // try what was learned from this entry on others
	stateRepair                 // execute mutants with their checksums repaired
	stateEnd
)

// states holds the step of each state. What a step reports decides which of two states comes next; if there is only one, both are
// the same. The steps are in comparisons.go, vary.go, chase.go and repair.go.
var states = [stateEnd]struct {
	step    func(s *study) bool
	yes, no state
}{
	stateLog:       {(*study).logEntry, stateCompare, stateUnrelated}, // the log has room for all comparisons
	stateUnrelated: {(*study).logUnrelated, stateRest, stateEnd},      // the request continues
	stateRest:      {(*study).logRest, stateCompare, stateEnd},        // the entry has passed again
	stateCompare:   {(*study).compare, stateRepeat, stateList},        // variants are worth it
	stateRepeat:    {(*study).repeat, stateColor, stateList},          // there are executions for variants
	stateColor:     {(*study).color, stateVary, stateList},            // it is known which parts make no difference
	stateVary:      {(*study).vary, stateLengths, stateList},          // the first variant has passed
	stateLengths:   {(*study).varyLengths, stateChecksums, stateChecksums},
	stateChecksums: {(*study).findChecksums, stateList, stateList},
	stateList:      {(*study).listSuggestions, stateChase, stateRepair}, // there is time to see where they lead
	stateChase:     {(*study).chase, stateDescend, stateDescend},
	stateDescend:   {(*study).descend, stateSpread, stateSpread},
	stateSpread:    {(*study).spread, stateRepair, stateRepair},
	stateRepair:    {(*study).repair, stateEnd, stateEnd},
}

// maxRemembered is the number of entries for which the results of the study are remembered.
const maxRemembered = 256

// study executes an entry with comparisons recorded, and lists the suggestions. It keeps inputs that show something new.
type study struct {
	run   *runner
	mut   *mutator
	list  *suggestions
	feed  *feedback
	setup *wire.Setup

	m wire.Fuzz // the request
	progress

	usual    compare.Usual   // what is compared whatever the input is
	primed   bool            // it has learned from inputs that are no entries
	learned  map[uint64]bool // entries that it has learned from
	colors   map[uint64]*solve.Colors
	failing  map[uint64]bool   // entries of which a variant has failed
	checked  map[uint64]bool   // entries of which all candidates for checksums were checked
	repaired map[uint64]uint64 // suggestions for entries that were tried with their checksums repaired
	mutant   input.Args        // being repaired

	checksums solve.Checksums
	chaser    chaser
}

// progress is what is known about the entry at hand.
type progress struct {
	state   state
	begun   bool    // the study has begun
	passed  bool    // the entry has passed
	over    bool    // a variant has failed, or there is no time for the entry: the request ends
	failure outcome // of the execution that ended the study
	err     error   // of the connection

	first      bool              // usual has not learned from the entry before
	container  bool              // the entry is in a format of which mutants have the right checksums
	sums       bool              // it has other checksums
	varied     bool              // it has variants
	shown      []cover.Feature   // by its first execution
	unstable   []cover.Feature   // of that, and of the second execution: what only one of them showed
	rand       *mutate.Rand      // of variants
	candidates []solve.Candidate // fields that may be checksums
}

// reset removes what belongs to the entry of the request before.
func (s *study) reset() {
	s.progress = progress{}
	s.list.reset()
}

// entry studies the entry of a request. It reports whether the request continues.
func (s *study) entry(m wire.Fuzz) (again bool, err error) {
	s.m = m
	_, colored := s.colors[m.ID]
	failure := s.run.doNear(func() { s.begin(colored) }, s.walk)
	if !failure.failed {
		failure = s.failure
	}
	s.list.open, s.run.logging = false, false
	s.feed.yields.of = &s.feed.yields.mutants
	s.run.cov.Clear() // functions that list suggestions may be instrumented
	if !failure.failed {
		return !s.over && s.err == nil, s.err
	}
	if s.over = s.passed; s.over { // the next request shall get to the mutants
		s.failing = remember(s.failing, m.ID)
	}
	if err := s.feed.announceUntrimmed(); err != nil {
		return false, err
	}
	return false, s.feed.fail(failure, s.run.seg.Stage() == shm.Trimming)
}

// begin prepares the first step of the study. It undoes what an earlier attempt has done, which may have been cut.
func (s *study) begin(colored bool) {
	s.run.seg.SetStage(shm.Fuzzing)
	s.reset()
	s.mut.words = nil // variants have no words in them
	s.feed.untrimmed, s.feed.yields.of = nil, nil
	if !colored {
		delete(s.colors, s.m.ID)
	}
	s.begun, s.list.open, s.list.tried = true, true, s.m.Skip
	s.run.seg.SetTried(s.list.tried)
}

// walk makes one step after the other until the study ends.
func (s *study) walk() {
	for s.state != stateEnd {
		s.state = s.next(states[s.state].step(s))
	}
}

// next returns the state after the one at hand, whose step has reported yes or no.
func (s *study) next(yes bool) state {
	switch at := &states[s.state]; {
	case s.ended():
		return stateEnd
	case yes:
		return at.yes
	default:
		return at.no
	}
}

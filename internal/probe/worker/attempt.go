package worker

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// ended reports whether something has ended the study.
func (s *study) ended() bool { return s.over || s.failure.failed || s.err != nil || s.run.near.cut }

// attempt executes an input and keeps it if it shows something new. It reports whether there is a trace: there is none if the study
// has ended, or if the request allows no more executions.
func (s *study) attempt(a input.Args, log bool) bool {
	if s.ended() || s.run.finished() {
		return false
	}
	s.list.sizes.begin(a, s.setup.NoClock)
	out := s.execute(a, log)
	s.list.sizes.end()
	if out.ended() {
		s.failure = out
		return false
	}
	first := s.run.cov.Unknown(s.run.trace)
	if len(first) == 0 {
		return true
	}
	s.list.succeed()
	trace := slices.Clone(s.run.trace)
	s.feed.maker = s.maker()
	if s.over, s.err = s.feed.keep(a, first, s.m.Trim); s.ended() {
		return false // the stage says whether the input was being trimmed
	}
	s.run.seg.SetStage(shm.Fuzzing)
	s.run.trace = append(s.run.trace[:0], trace...)
	return true
}

// maker returns the technique that has made the input at hand.
func (s *study) maker() technique.Maker {
	switch {
	case s.state == stateRepair:
		return technique.ByChecksums
	case s.list.current, s.state == stateSpread:
		return technique.BySolving
	case s.state == stateChase, s.state == stateDescend:
		return technique.ByChasing
	}
	return technique.ByVariants
}

// execute executes an input, with its comparisons logged or not.
func (s *study) execute(a input.Args, log bool) outcome {
	s.run.logging = log
	out := s.run.once(a)
	s.run.logging = false
	return out
}

// remember adds an entry to a set of entries, which is emptied when it is full.
func remember(set map[uint64]bool, id uint64) map[uint64]bool {
	if set == nil || len(set) >= maxRemembered {
		set = map[uint64]bool{}
	}
	set[id] = true
	return set
}

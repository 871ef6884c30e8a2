package worker

import (
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// unrelatedInputs is how many inputs tell what is compared whatever the input is: enough for three logs.
const unrelatedInputs = 12

// logEntry executes the entry with its comparisons logged. It reports whether the log has room for all of them.
func (s *study) logEntry() bool {
	s.run.log.Omit(nil)
	if s.failure = s.execute(s.mut.base, true); s.failure.ended() {
		return false
	}
	s.passed = true
	if s.setup.Without.Has(technique.Setup) {
		return true
	}
	s.list.log.Usual = &s.usual
	if s.first = !s.learned[s.m.ID]; s.first {
		s.learned = remember(s.learned, s.m.ID)
		s.usual.Learn(s.m.ID, s.run.log.Records())
	}
	return !s.run.log.Full()
}

// logUnrelated learns what inputs compare that have little in common with the entry, when a log is full for the first time:
// until there are other entries, nothing else tells. What one log has no room for is in the next, without what that one showed.
// It reports whether the request goes on.
func (s *study) logUnrelated() bool {
	s.run.log.Omit(&s.usual)
	if !s.primed && s.m.Skip == 0 { // otherwise one of them may have ended the process
		s.primed = true
		r := mutate.NewRand(s.m.ID)
		for i := range uint64(unrelatedInputs) {
			if !s.attempt(solve.Recolor(s.mut.base, nil, r), true) {
				break
			}
			s.usual.Learn(^i, s.run.log.Records())
		}
	}
	s.over = s.over || s.run.finished() // the log is not that of the entry
	return !s.over
}

// logRest executes the entry once more, and logs what is not compared whatever the input is. It reports whether it passed.
func (s *study) logRest() bool {
	if s.failure = s.execute(s.mut.base, true); s.failure.ended() {
		return false
	}
	if s.first {
		s.usual.Learn(s.m.ID, s.run.log.Records())
	}
	return true
}

// compare fills the log of the suggestions with what the entry compares. It reports whether variants of the entry are worth it: they tell which
// suggestions are no coincidence, and what is a checksum.
func (s *study) compare() bool {
	records := s.run.log.Records()
	s.list.log.Fill(records)
	s.mut.learned.addCompared(&s.mut.havoc.Compared, records)
	s.chaser.seen.New(&s.run.log)
	s.container = mutate.HasContainer(&s.mut.havoc, s.mut.base)
	s.varied = (s.m.Solve || s.checksums.In(&s.list.log) && !s.container) && !s.failing[s.m.ID]
	if s.varied {
		s.candidates = s.checksums.Candidates(records, s.mut.base)
	}
	return s.varied
}

// listSuggestions lists what the comparisons suggest, if the request says so. It reports whether there is time to see where that leads.
func (s *study) listSuggestions() bool {
	if s.varied && s.run.finished() {
		s.over = true // nothing is solved without the variants that are left
		return false
	}
	s.sums = s.checksums.In(&s.list.log) && !s.container // a variant may have shown one
	if !s.m.Solve {
		return false
	}
	s.list.fill(s.mut.base, s.m.Skip)
	s.list.listed = true
	return !s.failing[s.m.ID] && s.chaser.share.due(s.setup.NoClock)
}

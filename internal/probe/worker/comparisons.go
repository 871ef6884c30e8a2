package worker

import (
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// unrelatedInputs is how many inputs show what the target compares for any input: enough for three logs.
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

// logUnrelated learns what the target compares for inputs that have little in common with the entry. It does so when a log is
// full for the first time, since there may be no other entries to learn from. Each log omits what the logs before it have
// shown, so it has room for more. It reports whether the request continues.
func (s *study) logUnrelated() bool {
	s.run.log.Omit(&s.usual)
	if !s.primed && s.m.Skip == 0 { // otherwise one of these inputs may have ended the process
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

// logRest executes the entry once more, and omits from the log what the target compares for any input. It reports whether the entry
// passed.
func (s *study) logRest() bool {
	if s.failure = s.execute(s.mut.base, true); s.failure.ended() {
		return false
	}
	if s.first {
		s.usual.Learn(s.m.ID, s.run.log.Records())
	}
	return true
}

// compare fills the log of the suggestions with what the entry compares. It reports whether to make variants of the entry: they show which
// suggestions are coincidences, and which fields are checksums.
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

// listSuggestions lists what the comparisons suggest, if the request says so. It reports whether there is time to chase them.
func (s *study) listSuggestions() bool {
	if s.varied && s.run.finished() {
		s.over = true // the suggestions are not listed without the variants that are missing
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

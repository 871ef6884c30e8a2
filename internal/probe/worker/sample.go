package worker

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

const (
	// samplePeriod is how many executions of smaller mutants are between two samples. A sample costs several times as much as a scan.
	samplePeriod = 64
	// smallerBy: a mutant may take the place of its entry if it is at least a quarter smaller. Less is not worth a file.
	smallerBy = 4
)

// sampler looks at what executions show. Samples are executions of smaller mutants; it looks at all that they show, to see whether the
// mutant can take the place of the entry.
type sampler struct {
	run  *runner
	mut  *mutator
	list *suggestions

	wait  int             // executions until the next sample
	holds []cover.Feature // what a smaller input must show, in ascending order; none: there can be none

	sampled bool // the last execution was a sample
	smaller bool // its mutant can take the place of the entry
}

// look looks at how long the execution took, if that counts, and at what it showed: a scan, or all of it if it is a sample.
// Only after a scan of all lines is what they show now its own.
func (s *sampler) look() cover.Result {
	if s.list.current {
		s.list.sizes.end()
	}
	s.sampled, s.smaller = false, false
	if len(s.holds) == 0 {
		return s.scan()
	}
	if s.wait--; s.wait >= 0 || !s.run.cov.Looked() || !s.isSmaller(s.run.args) {
		return s.scan()
	}
	s.sampled = true
	return s.sample()
}

// scan looks at the lines that were hit before, and at all of them if what runs at the end of an execution would hide what they show.
func (s *sampler) scan() cover.Result {
	if s.run.cleanups {
		return s.run.cov.ScanAll()
	}
	return s.run.cov.Scan()
}

// sample looks at all that the execution showed.
func (s *sampler) sample() cover.Result {
	r := s.run
	s.wait = samplePeriod
	r.trace = r.cov.Trace(r.trace[:0])
	if r.cov.AnyUnknown(r.trace) {
		return cover.Novel
	}
	s.smaller = contains(r.trace, s.holds)
	return cover.Nothing
}

// shown returns a copy of what the last sample showed.
func (s *sampler) shown() []cover.Feature { return slices.Clone(s.run.trace) }

// fresh returns what the last execution showed for the first time.
func (s *sampler) fresh() []cover.Feature {
	if s.sampled {
		return s.run.cov.Unknown(s.run.trace)
	}
	return s.run.cov.Fresh(nil)
}

// isSmaller reports whether an input is enough smaller than the entry.
func (s *sampler) isSmaller(a input.Args) bool {
	size := s.mut.base.Size()
	return a.Size() <= size-size/smallerBy && a.Size() < size
}

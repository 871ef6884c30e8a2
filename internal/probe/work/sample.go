package work

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// samplePeriod: so many executions are between two of smaller mutants that have all that they show looked at. A look costs
	// several times as much as a scan.
	samplePeriod = 64
	// smallerBy: a mutant may take the place of its entry if it is at least a quarter smaller. Less is not worth a file.
	smallerBy = 4
)

// sampler looks at all that some executions of smaller mutants show: whether they can take the place of the entry.
type sampler struct {
	wait  int             // executions until the next look
	holds []cover.Feature // what a smaller input must show, in ascending order; none: there can be none

	sampled bool // the last execution was a sample
	smaller bool // its mutant can take the place of the entry
}

// look looks at how long the execution took, if that counts, and at what it showed: a scan, or all of it if it is a sample.
// Only after a scan of all lines is what they show now its own.
func (w *worker) look() cover.Verdict {
	if w.solver.suggested {
		w.solver.sizes.end()
	}
	s := &w.sampler
	s.sampled, s.smaller = false, false
	if len(s.holds) == 0 {
		return w.scan()
	}
	if s.wait--; s.wait >= 0 || !w.cov.Looked() || !w.smaller(w.args) {
		return w.scan()
	}
	s.sampled = true
	return w.sample()
}

// scan looks at the lines that were hit before, and at all of them if what runs at the end of an execution would hide what they show.
func (w *worker) scan() cover.Verdict {
	if w.ending {
		return w.cov.ScanAll()
	}
	return w.cov.Scan()
}

// sample looks at all that the execution showed.
func (w *worker) sample() cover.Verdict {
	s := &w.sampler
	s.wait = samplePeriod
	w.trace = w.cov.Trace(w.trace[:0])
	if w.cov.AnyUnknown(w.trace) {
		return cover.Novel
	}
	s.smaller = contains(w.trace, s.holds)
	return cover.Nothing
}

func (w *worker) smaller(a input.Args) bool {
	return a.Size() <= w.base.Size()-w.base.Size()/smallerBy && a.Size() < w.base.Size()
}

// replace offers the last input in the place of the entry, if it shows again what it must.
func (w *worker) replace(id uint64) error {
	a := w.lastInput()
	if !w.smaller(a) { // the target has changed its argument
		return nil
	}
	c := w.calibrate(a, slices.Clone(w.trace))
	if c.failed {
		return w.reportFailure(c.outcome, false)
	}
	if !contains(c.features, w.sampler.holds) {
		return nil
	}
	w.base, w.origin = a, a
	w.batch.drop()
	return w.out.Send(wire.New{
		Input: input.Append(nil, a), Nanos: uint64(c.duration), Features: c.features, Replaces: id,
	})
}

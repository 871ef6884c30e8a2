package worker

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// An input without a new edge is only trimmed if it has more than outgrownSize bytes and is more than outgrownBy times as large as
// what it was made of, and within outgrownExecs executions: docs/experiments/2026-11-23-trimming.md.
const (
	outgrownBy    = 16
	outgrownSize  = 128
	outgrownExecs = 16
)

// trimBudget returns how many executions may be spent on trimming an input that has added features.
func (f *feedback) trimBudget(a input.Args, added []cover.Feature) int {
	isNewEdge := func(feature cover.Feature) bool { return !f.run.cov.KnownEdge(feature) }
	budget := 0
	switch {
	case slices.ContainsFunc(added, isNewEdge):
		budget = f.setup.TrimMax
	case a.Size() > max(outgrownSize, outgrownBy*f.origin.Size()):
		budget = min(outgrownExecs, f.setup.TrimMax)
	}
	return int(min(uint64(budget), f.run.left()))
}

// trim makes a smaller within a budget of executions. It removes what degree allows, and the result shows all that a has added. A
// candidate that fails ends it, and its outcome is returned too.
func (f *feedback) trim(a input.Args, c calibration, degree wire.Trim, budget int) (input.Args, calibration, outcome) {
	f.run.seg.SetStage(shm.Trimming)
	best, features, duration := a, c.features, c.duration
	var last outcome
	execs := 0
	check := func(candidate input.Args) bool {
		execs++
		start := time.Now()
		if last = f.run.once(candidate); last.ended() {
			return false
		}
		if !contains(f.run.trace, c.added) {
			return false
		}
		best, features, duration = candidate.Clone(), f.confirmed(slices.Clone(f.run.trace), c.features), time.Since(start)
		return true
	}
	o := minimize.Options{
		Check: check, RemoveOnly: true,
		Deadline: func() bool { return last.ended() || execs >= budget || f.run.seg.Preempted() },
	}
	reduce := func() { minimize.Minimize(best, o) }
	if degree == wire.TrimGrown {
		reduce = shrinkGrown(a, grown(f.origin, a), o)
	}
	if failure := f.run.doNear(func() { last = outcome{} }, reduce); failure.failed {
		last = failure
	}
	c.features, c.duration = features, duration
	return best, c, last
}

package worker

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// feedback decides which inputs become entries. It calibrates (calibrate.go) and trims (trim.go) an input that has shown something
// new, and then reports it.
type feedback struct {
	run   *runner
	mut   *mutator
	list  *suggestions
	setup *wire.Setup
	out   *wire.Writer

	origin  input.Args // what recent inputs were made of: the entry at hand, or that of the request before
	strikes map[cover.Feature]int
	pending []cover.Feature // found by a scan too late to know which input showed them
	recent  []input.Args    // to be executed again: one of them has shown what is in pending

	maker     technique.Maker // of the input that keep gets
	untrimmed *candidate      // being trimmed; nil: none is
	yields    yields
}

// candidate is an input that may become an entry.
type candidate struct {
	args input.Args
	calibration
}

// fail reports the last input as one that fails.
func (f *feedback) fail(out outcome, trimming bool) error {
	return f.out.Send(wire.Failed{
		Input: input.Append(nil, f.run.lastInput()), Output: out.output, Logged: out.logged, Trimming: trimming,
	})
}

// keep calibrates, trims and reports an input that showed something new. stop says that the request should end:
// there is a new edge, a failure, or the end of the job. If a candidate ends the job while the input is
// trimmed, f.untrimmed has the input as it was.
func (f *feedback) keep(a input.Args, first []cover.Feature, trim wire.Trim) (stop bool, err error) {
	c := f.calibrate(a, first)
	switch {
	case c.cut:
		return true, nil
	case c.failed:
		return true, f.fail(c.outcome, false)
	case len(c.added) == 0:
		return false, nil
	}
	var failure outcome
	if budget := f.trimBudget(a, c.added); trim != wire.TrimNothing && budget > 0 {
		f.untrimmed = &candidate{a, c}
		if a, c, failure = f.trim(a, c, trim, budget); failure.cut {
			return true, nil
		}
		f.untrimmed = nil
	}
	edges, err := f.announce(a, c)
	if failure.failed && err == nil {
		err = f.fail(failure, true)
	}
	if edges > 0 && f.list.pending() {
		f.list.found = true
	}
	return edges > 0 && !f.list.found || failure.failed, err
}

// announce merges what an input has added and reports it. edges is the number of new edges.
func (f *feedback) announce(a input.Args, c calibration) (edges int, err error) {
	added, edges := f.run.cov.Merge(c.added)
	if len(added) == 0 {
		return edges, nil
	}
	f.mut.reward()
	f.yields.count()
	return edges, f.out.Send(wire.New{
		Input: input.Append(nil, a), Nanos: uint64(c.duration), Added: added, Edges: edges, Features: c.features, Maker: f.maker,
	})
}

// announceUntrimmed reports the input that was being trimmed when a failure ended the job, as it was before.
func (f *feedback) announceUntrimmed() error {
	k := f.untrimmed
	if k == nil {
		return nil
	}
	f.untrimmed = nil
	_, err := f.announce(k.args, k.calibration)
	return err
}

// lateInputs is how many recent inputs are executed again if a late scan finds something new: all that may have shown it.
const lateInputs = 32

// collect keeps the recent inputs if a scan has found something new that one of them has shown.
func (f *feedback) collect(found []cover.Feature) {
	if f.pending, f.recent = found, nil; len(found) > 0 {
		f.recent = f.run.executed(lateInputs)
	}
}

// attributeTime is how long a request may run collected inputs again. At a second per execution, all would take half a minute.
const attributeTime = slowExec

// attribute runs the collected inputs again, until all pending features are known, or that takes too long. If the request has no
// executions left, or one of the inputs has a new edge, the next request continues with the rest. again is false when the request is
// finished.
func (f *feedback) attribute(trim wire.Trim) (again bool, err error) {
	stop, begin := false, time.Now()
	for len(f.recent) > 0 && f.run.cov.AnyUnknown(f.pending) && (f.setup.NoClock || time.Since(begin) < attributeTime) {
		if stop || f.run.finished() {
			return false, nil
		}
		a := f.recent[0]
		f.recent = f.recent[1:]
		f.run.seg.SetStage(shm.Fuzzing)
		if out := f.run.once(a); out.failed {
			return false, f.fail(out, false)
		}
		if first := f.run.cov.Unknown(f.run.trace); len(first) > 0 {
			f.maker = 0
			if stop, err = f.keep(a, first, trim); err != nil {
				return false, err
			}
		}
		f.mut.words = nil // the words are those of the newest input
	}
	f.recent = nil
	return !stop && !f.run.finished(), nil
}

// yield is the cost of executions of one sort, and the number of entries that they have led to.
type yield struct{ cost, entries uint64 }

// yields are those of mutants, and of mutants that are repaired.
type yields struct {
	mutants, repairs yield
	of               *yield // of which sort the input at hand is; nil: of neither
}

// count counts an entry.
func (y *yields) count() {
	if y.of != nil {
		y.of.entries++
	}
}

// poorRepairs: repairs are poor if they lead to less than 1/poorRepairs of the entries that other mutants lead to at the same cost,
// once those have led to minEntries: a field that was taken for a checksum may be none.
const (
	poorRepairs = 2
	minEntries  = 32
)

// poor reports whether repairs lead to much fewer entries than other mutants.
func (y *yields) poor() bool {
	return y.mutants.entries >= minEntries &&
		poorRepairs*float64(y.repairs.entries)*float64(y.mutants.cost) < float64(y.mutants.entries)*float64(y.repairs.cost)
}

// cost returns what was spent since a time at which spent executions had been made: nanoseconds, or executions where no clock counts.
func (f *feedback) cost(since time.Time, spent uint64) uint64 {
	if f.setup.NoClock {
		return f.run.spent - spent
	}
	return uint64(time.Since(since))
}

package work

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// maxStrikes: a feature that shows as new this often, and not in the repetitions, is ignored from then on. Three is
// what the calibration of peers settled on; fewer lose features that depend on rare but real conditions.
const maxStrikes = 3

// An input without a new edge is only made smaller if it has more than outgrownSize bytes and is more than outgrownBy times as
// large as what it was made of, and in outgrownExecs executions: docs/experiments/2026-11-23-trimming.md.
const (
	outgrownBy    = 16
	outgrownSize  = 128
	outgrownExecs = 16
)

// slowExec: an input that takes this long is repeated once only, or not at all if it is a seed, since each repetition is one
// mutant less of few. The fuzz test of image/gif encodes with each of 256 palettes, which takes seconds.
const slowExec = 250 * time.Millisecond

// calibration is what the repetition of an input showed.
type calibration struct {
	features []cover.Feature // shown by every repetition; if there was one, what is new in it was shown before too
	added    []cover.Feature // those of them that the global map does not have
	duration time.Duration   // of the faster repetition
	outcome                  // of a repetition that failed
}

// calibrate repeats an input that showed first, of which something was new, and returns what is stable in it. What is not
// gets a strike.
func (w *worker) calibrate(a input.Args, first []cover.Feature) calibration {
	var c calibration
	failure := w.near(func() { c = calibration{features: first} }, func() { w.repeat(a, &c) })
	if failure.failed {
		c.outcome = failure
	}
	if c.failed {
		return c
	}
	for _, f := range c.features {
		if !w.cov.Known(f) {
			c.added = append(c.added, f)
		}
	}
	w.strike(first, c.features)
	return c
}

// believe is calibrate for an input that has just been executed by itself, in the time took: if that was long, it counts
// as it is. The first execution of a process may make tables, which is neither what the input takes nor what it shows.
func (w *worker) believe(a input.Args, first []cover.Feature, took time.Duration) calibration {
	if took < slowExec || w.setup.NoClock || w.seg.Execs() == 1 {
		return w.calibrate(a, first)
	}
	return calibration{features: slices.Clone(w.trace), added: first, duration: took}
}

// repeat executes an input twice, once if that takes long, and notes in c what these executions show. On entry c has what
// was shown before them.
func (w *worker) repeat(a input.Args, c *calibration) {
	first := c.features
	for run := range 2 {
		if w.limit > 0 && w.spent >= w.limit || w.setup.Without.Has(technique.Calibrate) {
			if run > 0 {
				c.features = w.confirmed(c.features, first)
			}
			return // believe what was seen
		}
		start := time.Now()
		if c.outcome = w.once(a); c.failed {
			return
		}
		if took := time.Since(start); run == 0 || took < c.duration {
			c.duration = took
		}
		if run == 0 {
			c.features = slices.Clone(w.trace)
		} else {
			c.features = intersect(c.features, w.trace)
		}
		if c.duration >= slowExec && !w.setup.NoClock {
			c.features = w.confirmed(c.features, first)
			return
		}
	}
}

// confirmed drops the features of one execution that no other one has shown: those that are neither in the ascending list
// shown nor known. It changes features.
func (w *worker) confirmed(features, shown []cover.Feature) []cover.Feature {
	return slices.DeleteFunc(features, func(f cover.Feature) bool {
		_, again := slices.BinarySearch(shown, f)
		return !again && !w.cov.Known(f)
	})
}

// strike counts the features that were seen once and are not stable.
func (w *worker) strike(seen, stable []cover.Feature) {
	for _, f := range seen {
		for len(stable) > 0 && stable[0] < f {
			stable = stable[1:]
		}
		if len(stable) > 0 && stable[0] == f {
			continue
		}
		if w.strikes[f]++; w.strikes[f] >= maxStrikes {
			w.cov.Ignore([]cover.Feature{f})
		}
	}
}

// intersect keeps what two ascending lists have in common. The result uses the storage of a.
func intersect(a, b []cover.Feature) []cover.Feature {
	kept := a[:0]
	for _, f := range a {
		for len(b) > 0 && b[0] < f {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == f {
			kept = append(kept, f)
		}
	}
	return kept
}

// keep calibrates and trims an input that showed something new and reports it. stop says that the request should end:
// there is an edge that nobody had hit before, or a failure.
func (w *worker) keep(a input.Args, first []cover.Feature, trim wire.Trim) (stop bool, err error) {
	c := w.calibrate(a, first)
	if c.failed {
		return true, w.reportFailure(c.outcome, false)
	}
	if len(c.added) == 0 {
		return false, nil
	}
	fail := outcome{}
	if budget := w.trimBudget(a, c.added); trim != wire.TrimNothing && budget > 0 {
		trimmed := false
		defer func() {
			if !trimmed && !w.unwinding { // in a study, a candidate that fails ends all of it: the entry stays as it was
				_, w.solver.err = w.announce(a, c)
			}
		}()
		a, c, fail = w.trim(a, c, trim, budget)
		trimmed = true
	}
	edges, err := w.announce(a, c)
	if fail.failed && err == nil {
		err = w.reportFailure(fail, true)
	}
	if edges > 0 && (w.solver.busy() || w.solver.studying) {
		w.solver.found = true
	}
	return edges > 0 && !w.solver.found || fail.failed, err
}

// announce merges what an input has added and reports it. edges is how many of that nobody had hit before.
func (w *worker) announce(a input.Args, c calibration) (edges int, err error) {
	added, edges := w.cov.Merge(c.added)
	if len(added) == 0 {
		return edges, nil
	}
	w.reward()
	w.solver.win()
	return edges, w.out.Send(wire.New{
		Input: input.Append(nil, a), Nanos: uint64(c.duration), Added: added, Edges: edges, Features: c.features,
	})
}

func (w *worker) hasNewEdge(added []cover.Feature) bool {
	for _, f := range added {
		if !w.cov.KnownEdge(f) {
			return true
		}
	}
	return false
}

// trimBudget returns how many executions may be spent on making an input smaller that has added something.
func (w *worker) trimBudget(a input.Args, added []cover.Feature) int {
	budget := 0
	switch {
	case w.hasNewEdge(added):
		budget = w.setup.TrimMax
	case a.Size() > max(outgrownSize, outgrownBy*w.origin.Size()):
		budget = min(outgrownExecs, w.setup.TrimMax)
	}
	if w.limit > 0 {
		budget = min(budget, int(w.limit-min(w.spent, w.limit)))
	}
	return budget
}

// trim makes a smaller, within a budget of executions, as long as it still shows everything that it added and has what the
// degree leaves alone. A candidate that makes the target fail ends it.
func (w *worker) trim(a input.Args, c calibration, degree wire.Trim, budget int) (input.Args, calibration, outcome) {
	w.seg.SetStage(shm.Trimming)
	best, features, duration := a, c.features, c.duration
	var fail outcome
	execs := 0
	check := func(candidate input.Args) bool {
		execs++
		start := time.Now()
		if fail = w.once(candidate); fail.failed {
			return false
		}
		if !contains(w.trace, c.added) {
			return false
		}
		best, features, duration = candidate.Clone(), w.confirmed(slices.Clone(w.trace), c.features), time.Since(start)
		return true
	}
	o := minimize.Options{
		Check: check, RemoveOnly: true,
		Deadline: func() bool { return fail.failed || execs >= budget || w.seg.Preempted() },
	}
	reduce := func() { minimize.Minimize(best, o) }
	if degree == wire.TrimGrown {
		reduce = shrinkGrown(a, grown(w.origin, a), o)
	}
	if failure := w.near(func() {}, reduce); failure.failed {
		fail = failure
	}
	c.features, c.duration = features, duration
	return best, c, fail
}

// contains reports whether the ascending list all has each of part.
func contains(all, part []cover.Feature) bool {
	for _, f := range part {
		for len(all) > 0 && all[0] < f {
			all = all[1:]
		}
		if len(all) == 0 || all[0] != f {
			return false
		}
	}
	return true
}

// hits reports whether all counters of part are among those of all, however often they are hit. Both are in ascending order.
func hits(all, part []cover.Feature) bool {
	for _, f := range part {
		for len(all) > 0 && all[0].Counter() < f.Counter() {
			all = all[1:]
		}
		if len(all) == 0 || all[0].Counter() != f.Counter() {
			return false
		}
	}
	return true
}

// collect keeps the recent inputs if a scan has found something new that one of them has shown.
func (w *worker) collect(found []cover.Feature) {
	if w.pending, w.recent = found, nil; len(found) > 0 {
		w.recent = w.executed(lateInputs)
	}
}

// executed returns up to n inputs that were executed last, the newest first.
func (w *worker) executed(n int) (list []input.Args) {
	for _, packed := range w.seg.Recent(n) { // valid until the next execution
		if a, err := w.unpack(packed); err == nil {
			list = append(list, a)
		}
	}
	return list
}

// attributeTime is how long a request may run inputs again that were collected: those of a target with executions of a second
// would take half a minute.
const attributeTime = slowExec

// attribute runs the inputs that were collected again, until all that was new is known, or that takes too long. Those that this
// request has no executions left for, or that come behind a new edge, are for the next one. again is false when the request is
// finished.
func (w *worker) attribute(trim wire.Trim) (again bool, err error) {
	stop, begin := false, time.Now()
	for len(w.recent) > 0 && w.cov.AnyUnknown(w.pending) && (w.setup.NoClock || time.Since(begin) < attributeTime) {
		if stop || w.finished() {
			return false, nil
		}
		a := w.recent[0]
		w.recent = w.recent[1:]
		w.seg.SetStage(shm.Fuzzing)
		if out := w.once(a); out.failed {
			return false, w.reportFailure(out, false)
		}
		if first := w.cov.Unknown(w.trace); len(first) > 0 {
			if stop, err = w.keep(a, first, trim); err != nil {
				return false, err
			}
		}
		w.words = nil // they are those of the newest input
	}
	w.recent = nil
	return !stop && !w.finished(), nil
}

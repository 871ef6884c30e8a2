package work

import (
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// endReason is why a burst ended.
type endReason uint8

const (
	endBudget  endReason = iota // the executions are used up, or the coordinator asked for an end
	endTouched                  // the target did something to its T
	endNovel                    // the last input showed something new
	endLate                     // one of the last inputs showed something new
	endSmaller                  // the last input may take the place of the entry
	endMemory                   // one of the last inputs allocated too much
)

// lateInputs is how many recent inputs are run again when something new shows late: all that may have caused it.
const lateInputs = 32

// fuzzRequest mutates one entry and executes the mutants until the executions are used up, the coordinator asks for an
// end, the target fails, or a new edge shows up: that is worth a look at the schedule.
func (w *worker) fuzzRequest(payload []byte) error {
	m, err := wire.DecodeFuzz(payload)
	if err != nil {
		return err
	}
	w.base, w.greedy = nil, nil
	if i, known := w.entries[m.ID]; known {
		w.base = w.havoc.Pool[i]
		w.havoc.Sums = w.sumsOf(m.ID)
	}
	w.allow(m.Execs, m.Bytes)
	w.reserve(m.MaxLen)
	start := time.Now()
	again := w.base != nil
	w.solver.forget()
	w.sampler.holds = m.Holds
	if again && len(w.recent) > 0 {
		w.seg.SetTried(shm.Untried)
		again, err = w.attribute(m.Trim)
		w.seg.SetTried(m.Skip)
	}
	if again { // otherwise those that are still to be run again are of the request before
		w.origin = w.base
	}
	if again && err == nil && m.Study && !w.finished() {
		again, err = w.study(m)
		again = again && !w.finished()
	}
	for again && err == nil {
		again, err = w.fuzzOnce(m)
	}
	if err != nil {
		return err
	}
	w.solver.book()
	took := time.Since(start)
	w.solver.follower.request(took, w.spent)
	return w.out.Send(wire.Done{
		Execs: w.spent, Nanos: uint64(took), Tried: w.solver.tried,
		// A request that was preempted before the study has listed nothing, not everything.
		Solved: !w.solver.busy() && !w.solver.over && (w.solver.studied || !m.Study || w.base == nil),
		Greedy: w.greedy,
	})
}

// sumsOf returns the checksums of an entry. To find them takes as long as a request for an entry of a megabyte, so they are
// kept.
func (w *worker) sumsOf(id uint64) mutate.Sums {
	sums, known := w.sums[id]
	if !known {
		sums = mutate.Recognize(w.havoc.Pool[w.entries[id]])
		if w.sums == nil {
			w.sums = map[uint64]mutate.Sums{}
		}
		w.sums[id] = sums
	}
	return sums
}

// fuzzOnce runs one burst and deals with what ended it. again is false when the request is finished.
func (w *worker) fuzzOnce(m wire.Fuzz) (again bool, err error) {
	w.seg.SetStage(shm.Fuzzing)
	w.end = endTouched // stands if the target is not called
	before, begin := w.spent, time.Now()
	out := w.exec.do(callMany, w.serve)
	w.solver.others.cost += w.cost(begin, before)
	defer w.cov.Clear() // cleanups of a T, repetitions and failures leave their own traces behind
	if out.failed {
		return false, w.reportFailure(out, false)
	}
	switch w.end {
	case endTouched:
		return w.spent > before && !w.finished(), nil // without any execution there will be none the next time
	case endSmaller:
		return !w.finished(), w.replace(m.ID)
	case endNovel:
		w.solver.succeed()
		return w.keepNovel(m.Trim)
	case endLate:
		w.collect(w.cov.Fresh(w.cov.Late(w.pending[:0])))
		return w.attribute(m.Trim)
	case endMemory:
		if w.cov.ScanAll() == cover.Novel {
			w.collect(w.cov.Fresh(w.pending[:0]))
		}
		w.findAllocator()
		return w.attribute(m.Trim)
	}
	return false, nil
}

// finished reports whether the request allows no further execution. A request in which a new edge was found ends when all
// that comparisons suggest is tried: the next new edge is probably in it too.
func (w *worker) finished() bool {
	return w.seg.Preempted() || w.limit > 0 && w.spent >= w.limit || w.byteLimit > 0 && w.bytes >= w.byteLimit ||
		w.solver.found && !w.solver.busy() && !w.solver.studying
}

// burst mutates and executes. It is the hot loop: nothing in it allocates, looks at a clock (but for goroutines that are left) or
// makes a system call. It reports whether T is untouched.
func (w *worker) burst(t *testing.T, touched func() bool) bool {
	returned := true // from the target
	defer func() {
		if !returned { // it has skipped, or failed
			w.leave(w.look())
		}
	}()
	for !w.finished() {
		w.derive()
		w.record()
		returned = false
		w.call(t)
		returned = true
		verdict := w.look()
		if touched() {
			w.leave(verdict)
			return false
		}
		if w.ends(verdict) {
			return true
		}
		if w.memory != nil && !w.setup.NoClock && w.memory.jumped() {
			w.end = endMemory
			return true
		}
	}
	w.conclude(endBudget)
	return true
}

// ends reports whether what the last execution showed ends the burst. Then w.end says why.
func (w *worker) ends(verdict cover.Verdict) bool {
	switch {
	case verdict == cover.Novel:
		w.end = endNovel
	case w.sampler.smaller:
		w.end = endSmaller
	case verdict == cover.Late:
		w.end = endLate
	default:
		return false
	}
	return true
}

// leave ends the burst after an execution that has touched its T.
func (w *worker) leave(verdict cover.Verdict) {
	if !w.ends(verdict) {
		w.conclude(endTouched)
	}
}

// conclude ends the burst for a reason that is not in what it shows. All lines are looked at before anything else adds its
// traces, such as cleanups of the T.
func (w *worker) conclude(reason endReason) {
	w.end = reason
	if w.cov.ScanAll() == cover.Novel {
		w.end = endLate
	}
}

// keepNovel keeps the last input for what it has shown, and looks for those of what shows late. again is as in fuzzOnce.
func (w *worker) keepNovel(trim wire.Trim) (again bool, err error) {
	a, first := w.lastInput(), w.fresh()
	if !w.sampler.sampled { // otherwise all that showed is of the last input
		w.collect(w.cov.Late(w.pending[:0]))
	}
	if stop, err := w.keep(a, first, trim); stop || err != nil {
		return false, err
	}
	return w.attribute(trim)
}

// fresh returns what the last execution showed for the first time.
func (w *worker) fresh() []cover.Feature {
	if w.sampler.sampled {
		return w.cov.Unknown(w.trace)
	}
	return w.cov.Fresh(nil)
}

// derive makes the next mutant in w.args: what comparisons suggest for the entry, as long as there is something, then
// random ones.
func (w *worker) derive() {
	w.solver.suggested = false
	if w.take() {
		return
	}
	w.args, w.words = w.scratch, nil
	if w.load(w.base); w.suggest() {
		return
	}
	w.breed()
	w.take()
}

// suggest makes the next mutant of what comparisons suggest for the entry. It reports whether there is one.
func (w *worker) suggest() bool {
	s := &w.solver
	if s.again {
		s.tried, s.again = s.tried-1, false
	} else {
		s.sizes.parts = 0
	}
	limit := w.growLimit()
	for ; s.busy(); s.sizes.parts = 0 {
		if !w.suggestion().Apply(w.scratch, limit) {
			continue
		}
		if !w.setup.NoClock {
			switch s.sizes.approach(w.scratch, w.base.Size()) {
			case stepPart:
				s.again = true
			case stepNone:
				w.load(w.base)
				continue
			}
		}
		mutate.FixContainers(&w.havoc, w.scratch)
		s.suggested = true
		s.sizes.begin(w.scratch, w.setup.NoClock)
		return true
	}
	return false
}

// load copies a into w.scratch, which is what the target gets: it may change its arguments.
func (w *worker) load(a input.Args) { load(w.scratch, a) }

// lastInput returns the newest input as it was before the execution: the target may have changed its argument.
func (w *worker) lastInput() input.Args {
	a, err := w.unpack(w.seg.Last())
	if err != nil { // larger than the ring
		return w.args.Clone()
	}
	return a
}

func (w *worker) reportFailure(out outcome, trimming bool) error {
	return w.out.Send(wire.Failed{
		Input: input.Append(nil, w.lastInput()), Output: out.output, Logged: out.logged, Trimming: trimming,
	})
}

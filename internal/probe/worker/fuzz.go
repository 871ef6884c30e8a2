package worker

import (
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
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

// loop mutates, executes and scans without leaving the process.
type loop struct {
	run    *runner
	mut    *mutator
	list   *suggestions
	feed   *feedback
	memory *memory
	setup  *wire.Setup

	order   order     // burst
	end     endReason // why the last burst ended
	sampler sampler
}

// once runs one burst and deals with what ended it. again is false when the request is finished.
func (l *loop) once(m wire.Fuzz) (again bool, err error) {
	l.run.seg.SetStage(shm.Fuzzing)
	l.end = endTouched // stands if the target is not called
	before, begin := l.run.spent, time.Now()
	out := l.run.exec.do(l.order)
	l.feed.yields.mutants.cost += l.feed.cost(begin, before)
	defer l.run.cov.Clear() // cleanups of a T, repetitions and failures leave their own traces behind
	if out.failed {
		return false, l.feed.fail(out, false)
	}
	switch l.end {
	case endTouched:
		return l.run.spent > before && !l.run.finished(), nil // without any execution there will be none the next time
	case endSmaller:
		return !l.run.finished(), l.replace(m.ID)
	case endNovel:
		l.list.succeed()
		return l.keepNovel(m.Trim)
	case endLate:
		l.feed.collect(l.run.cov.Fresh(l.run.cov.Late(l.feed.pending[:0])))
		return l.feed.attribute(m.Trim)
	case endMemory:
		if l.run.cov.ScanAll() == cover.Novel {
			l.feed.collect(l.run.cov.Fresh(l.feed.pending[:0]))
		}
		l.memory.findGreedy()
		return l.feed.attribute(m.Trim)
	}
	return false, nil
}

// burst is the order that mutates and executes. It is the hot loop: nothing in it allocates, looks at a clock (but for goroutines
// that are left) or makes a system call.
func (l *loop) burst(t *testing.T, touched func() bool) (untouched bool) {
	run, guard := l.run, l.memory.guard
	if l.setup.NoClock {
		guard = nil // it looks once per period
	}
	returned := true // from the target
	defer func() {
		if !returned { // it has skipped, or failed
			l.leave(l.sampler.look())
		}
	}()
	for !run.finished() {
		l.mut.derive()
		run.record()
		returned = false
		run.call(t)
		returned = true
		result := l.sampler.look()
		if touched() {
			l.leave(result)
			return false
		}
		if l.ends(result) {
			return true
		}
		if guard != nil && guard.jumped() {
			l.end = endMemory
			return true
		}
	}
	l.conclude(endBudget)
	return true
}

// ends reports whether what the last execution showed ends the burst. Then l.end says why.
func (l *loop) ends(result cover.Result) bool {
	switch {
	case result == cover.Novel:
		l.end = endNovel
	case l.sampler.smaller:
		l.end = endSmaller
	case result == cover.Late:
		l.end = endLate
	default:
		return false
	}
	return true
}

// leave ends the burst after an execution that has touched its T.
func (l *loop) leave(result cover.Result) {
	if !l.ends(result) {
		l.conclude(endTouched)
	}
}

// conclude ends the burst for a reason that is not in what it shows. All lines are looked at before anything else adds its
// traces, such as cleanups of the T.
func (l *loop) conclude(reason endReason) {
	l.end = reason
	if l.run.cov.ScanAll() == cover.Novel {
		l.end = endLate
	}
}

// keepNovel keeps the last input for what it has shown, and looks for those of what shows late. again is as in once.
func (l *loop) keepNovel(trim wire.Trim) (again bool, err error) {
	a, first := l.run.lastInput(), l.sampler.fresh()
	if !l.sampler.sampled { // otherwise all that showed is of the last input
		l.feed.collect(l.run.cov.Late(l.feed.pending[:0]))
	}
	l.feed.maker = l.mut.maker()
	if stop, err := l.feed.keep(a, first, trim); stop || err != nil {
		return false, err
	}
	return l.feed.attribute(trim)
}

// replace offers the last input in the place of the entry, if it shows the features of the entry again.
func (l *loop) replace(id uint64) error {
	a := l.run.lastInput()
	if !l.sampler.isSmaller(a) { // the target has changed its argument
		return nil
	}
	c := l.feed.calibrate(a, l.sampler.shown())
	if c.failed {
		return l.feed.fail(c.outcome, false)
	}
	if !contains(c.features, l.sampler.holds) {
		return nil
	}
	l.mut.base, l.feed.origin = a, a
	l.mut.batch.drop()
	return l.feed.out.Send(wire.New{
		Input: input.Append(nil, a), Nanos: uint64(c.duration), Features: c.features, Replaces: id,
	})
}

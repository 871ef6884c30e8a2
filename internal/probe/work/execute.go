package work

import (
	"runtime"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/chance"
)

// order is what the goroutine that calls the target shall do next.
type order uint8

const (
	callOnce order = iota // call the target with w.args
	callMany              // mutate and call until something happens
	callNear              // carry out w.job, which calls the target by once
)

// outcome is how an order ended.
type outcome struct {
	failed bool
	output string // of the T, if failed
	logged int    // lines of it that were there when the T failed first; 0: not known
}

// executor calls the target on a goroutine that stays, under a T that stays, as long as the calls leave it untouched.
// A call that does not (it fails, panics, makes a temporary directory, runs subtests, …) ends the loop of that T, so that the
// testing package does with it what it always does; the next order starts a new one. What skips, logs, names helpers, registers
// cleanups or takes the context leaves a T that can be wiped.
type executor struct {
	run    RunFunc
	serve  func(t *testing.T, touched func() bool, o order) bool // carries out an order
	begin  func()                                                // called on the goroutine of each new T before its first order
	atEnd  func(run func()) bool                                 // calls what the target wants to have called when an execution ends, or reports false
	alive  bool
	made   uint64        // goroutines that Ts were given
	starts chan struct{} // a T is wanted
	orders chan order
	within bool          // an order is under way; that of a goroutine which ends
	done   chan struct{} // an order ended and left T untouched
	left   chan outcome  // the loop of a T ended
}

func newExecutor(run RunFunc, begin func(), atEnd func(func()) bool) *executor {
	return &executor{
		run: run, begin: begin, atEnd: atEnd, starts: make(chan struct{}), orders: make(chan order), done: make(chan struct{}), left: make(chan outcome),
	}
}

// wait has package testing run one T after the other, as orders want them, until close. It is called on the goroutine of F.Fuzz, which
// waits for the T in the same function of package testing as with the stock engine.
func (x *executor) wait() {
	for range x.starts {
		ok, output, logged := x.run(func(t *testing.T, touched func(func(func()) bool) bool) {
			x.loop(t, func() bool { return touched(x.atEnd) }, x.serve)
		})
		x.left <- outcome{!ok, output, logged}.clip()
	}
}

// do has the goroutine carry out one order and waits for it. call is one call of the target or many; it reports
// whether T was left untouched.
func (x *executor) do(o order, serve func(t *testing.T, touched func() bool, o order) bool) outcome {
	if !x.alive {
		x.alive = true
		x.made++ // of package testing
		x.serve = serve
		x.starts <- struct{}{}
	}
	select {
	case x.orders <- o:
	case out := <-x.left: // there was no loop: with -failfast, package testing calls nothing after a failure
		x.alive = false
		return out
	}
	select {
	case <-x.done:
		return outcome{}
	case out := <-x.left:
		x.alive, x.within = false, false
		return out
	}
}

// loop runs on the goroutine of a T until an order touches it or there are no more. If all that an execution does is to skip, it
// ends its goroutine and with it the order, and loop is called once more, on another one.
func (x *executor) loop(t *testing.T, touched func() bool, serve func(*testing.T, func() bool, order) bool) {
	if x.within {
		x.within = false
		x.made++
		x.done <- struct{}{}
	} else {
		x.begin()
	}
	for o := range x.orders {
		x.within = true
		untouched := serve(t, touched, o)
		x.within = false
		if !untouched {
			return
		}
		x.done <- struct{}{}
	}
}

// close ends the goroutine of the T in good order, and wait.
func (x *executor) close() {
	close(x.orders)
	if x.alive {
		<-x.left
		x.alive = false
	}
	close(x.starts)
}

// serve carries out an order. It reports whether T is untouched; after a panic it does not return.
func (w *worker) serve(t *testing.T, touched func() bool, o order) bool {
	switch o {
	case callMany:
		return w.burst(t, touched)
	case callNear:
		return w.carryOut(t, touched)
	}
	w.cov.Clear()
	// The trace is taken before anything else runs: package testing uses instrumented packages around a call.
	returned := false
	defer func() {
		if !returned {
			w.observe()
		}
	}()
	if w.solver.recording {
		w.solver.log.Start()
	}
	w.call(t)
	returned = true
	w.observe()
	return !touched()
}

// atEnd calls what the target wants to have called at the end of an execution, such as cleanups. That leaves traces of its own, which
// must not hide those of the executions before it: until all of these are seen in each scan, package testing shall do it.
func (w *worker) atEnd(run func()) bool {
	seen := w.cov.Looked()
	if w.ending = true; !seen {
		return false
	}
	run()
	w.cov.Clear()
	return true
}

// observe takes what an execution showed.
func (w *worker) observe() {
	w.solver.log.Stop()
	w.trace = w.cov.Trace(w.trace[:0])
}

// near carries out a job that executes inputs by once, if it can on the goroutine that calls the target: a handover to
// that goroutine and back costs as much as a short execution. That fails if an execution touches T, which ends the job
// there. begin is called before each attempt. A target that touches its T without failing gets no further jobs of this
// kind; the outcome is of a failure that ended the job. A job that is part of another one is carried out where that is.
func (w *worker) near(begin, job func()) outcome {
	if w.nearT == nil && !w.restless {
		begin()
		w.job, w.done, w.unwinding = job, false, false
		out := w.exec.do(callNear, w.serve)
		w.job, w.nearT = nil, nil
		if w.done || out.failed {
			return out
		}
		w.restless = true
	}
	begin()
	job()
	return outcome{}
}

// touch unwinds a job that runs near the target.
type touch struct{}

// carryOut carries out w.job on the goroutine that calls the target. It reports whether T is untouched.
func (w *worker) carryOut(t *testing.T, touched func() bool) (untouched bool) {
	returned := false // from the target
	defer func() {
		w.solver.log.Stop()
		if !returned {
			return // the target panics, or ends its goroutine: package testing deals with that
		}
		if r := recover(); r != nil && r != (touch{}) {
			panic(r)
		}
	}()
	w.nearT = func() {
		returned = false
		defer func() {
			if !returned {
				w.unwinding = t.Skipped() && !t.Failed()
			}
		}()
		w.call(t)
		returned = true
		w.observe()
		if touched() {
			w.unwinding = !t.Failed()
			panic(touch{})
		}
	}
	returned = true
	w.job()
	w.done = true
	return true
}

// call calls the target. What the runtime leaves to chance is the same each time, but not the same in all workers, so
// that a failure which depends on it is found.
func (w *worker) call(t *testing.T) {
	if w.order != 0 {
		chance.Seed(w.order)
	}
	defer w.stragglers.settle(runtime.NumGoroutine()) // when the target skips, too
	w.target.Call(t, w.args)
}

// once executes one input and returns how it ended. Its features are in w.trace until the next execution.
func (w *worker) once(a input.Args) outcome {
	w.load(a)
	w.args = w.scratch
	w.record()
	if w.nearT == nil {
		return w.exec.do(callOnce, w.serve)
	}
	w.cov.Clear()
	if w.solver.recording {
		w.solver.log.Start()
	}
	w.nearT()
	return outcome{}
}

// allow begins a request of so many executions, and of inputs of so many bytes in all, at most; 0: any number.
func (w *worker) allow(execs, bytes uint64) {
	w.spent, w.limit = 0, execs
	w.bytes, w.byteLimit = 0, bytes
}

// record writes w.args into the shared ring, so that it is known should the process die of it. What is too large for the ring
// leaves an empty record.
func (w *worker) record() {
	n := input.PackedSize(w.args)
	w.bytes += uint64(n)
	if n > ringLimit {
		n = 0 // an empty record: it is not the one before
	}
	if record := w.seg.Begin(n); n > 0 {
		input.Append(record, w.args)
	}
	w.seg.Commit(n)
	w.spent++
}

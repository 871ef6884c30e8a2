package worker

import (
	"runtime"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/chance"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/invoke"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// ringLimit is the size in bytes of the largest packed input that is recorded before it is executed.
const ringLimit = shm.MaxRecord

// runner executes inputs, within what the request allows, and takes what each one shows.
type runner struct {
	request
	kinds []input.Kind
	fn    invoke.Func // calls the target
	cov   *cover.Map
	exec  *executor

	args     input.Args      // being executed
	scratch  input.Args      // a copy of what is executed, if it is no mutant of a batch
	trace    []cover.Feature // of the last execution by once
	log      compare.Log     // of it, if logging
	logging  bool
	order    uint64 // start of the generator for map and select order; 0: stock behaviour
	wait     goroutineWait
	cleanups bool // executions have something to be called at their end

	single order // executes args once
	near   near
}

// near is a job that runs on the goroutine of a T, and executes inputs there by once: to hand one over to that goroutine and back
// costs as much as a short execution.
type near struct {
	off     bool  // the target has touched its T without failing: jobs stay on the goroutine of the worker
	order   order // carries the job out
	job     func()
	t       *testing.T // on the goroutine of which the job runs; nil: it does not
	touched func() bool
	cut     bool // an execution has touched t: the job returns
	done    bool // it has returned, and was not cut
}

// init makes r ready for use.
func (r *runner) init(target Harness, cov *cover.Map) {
	r.kinds, r.fn, r.cov = target.Kinds, target.Call, cov
	r.scratch = input.Zero(target.Kinds)
	r.exec = newExecutor(target.Run, cov.Clear, r.atEnd)
	r.single, r.near.order = r.callOnce, r.carryOut
}

// once executes one input and returns how it ended. Its features are in r.trace until the next execution. In a job that is cut it
// executes nothing.
func (r *runner) once(a input.Args) outcome {
	if r.near.cut {
		return outcome{cut: true}
	}
	load(r.scratch, a)
	r.args = r.scratch
	if r.near.t == nil {
		return r.handOver()
	}
	r.record()
	r.cov.Clear()
	if r.logging {
		r.log.Start()
	}
	r.call(r.near.t)
	r.observe()
	r.near.cut = r.near.touched()
	return outcome{cut: r.near.cut}
}

// handOver executes r.args once, on the goroutine of a T.
func (r *runner) handOver() outcome {
	r.record()
	return r.exec.do(r.single)
}

// callOnce is the order that calls the target once with r.args.
func (r *runner) callOnce(t *testing.T, touched func() bool) (untouched bool) {
	r.cov.Clear()
	// The trace is taken before anything else runs: package testing uses instrumented packages around a call.
	returned := false
	defer func() {
		if !returned {
			r.observe()
		}
	}()
	if r.logging {
		r.log.Start()
	}
	r.call(t)
	returned = true
	r.observe()
	return !touched()
}

// doNear carries out a job that executes inputs by once, on the goroutine of a T if it can. There it ends early if an execution
// touches the T. If that was no failure, the job is done again on this goroutine, as are all jobs from then on. begin is called
// before each attempt. The outcome is of a failure that ended the job. A job that is part of another one is carried out where that is.
func (r *runner) doNear(begin, job func()) outcome {
	n := &r.near
	if n.t == nil && !n.off {
		begin()
		n.job, n.done = job, false
		out := r.exec.do(n.order)
		n.job, n.t, n.touched, n.cut = nil, nil, nil, false
		if n.done || out.failed {
			return out
		}
		n.off = true
	}
	begin()
	job()
	return outcome{}
}

// carryOut is the order that carries out a job.
func (r *runner) carryOut(t *testing.T, touched func() bool) (untouched bool) {
	defer r.log.Stop() // the target may panic, or end its goroutine
	n := &r.near
	n.t, n.touched = t, touched
	n.job()
	n.done = !n.cut
	return n.done
}

// call calls the target with r.args. What the runtime leaves to chance is the same each time, but not the same in all workers, so
// that a failure which depends on it is found.
func (r *runner) call(t *testing.T) {
	if r.order != 0 {
		chance.Seed(r.order)
	}
	defer r.wait.settle(runtime.NumGoroutine()) // when the target skips, too
	r.fn(t, r.args)
}

// observe takes what an execution showed.
func (r *runner) observe() {
	r.log.Stop()
	r.trace = r.cov.Trace(r.trace[:0])
}

// atEnd calls what the target wants to have called at the end of an execution, such as cleanups. That leaves traces of its own, which
// must not hide those of the executions before it: until each scan looks at all of these, package testing does it.
func (r *runner) atEnd(run func()) bool {
	seen := r.cov.Looked()
	if r.cleanups = true; !seen {
		return false
	}
	run()
	r.cov.Clear()
	return true
}

// record writes r.args into the shared ring, so that they are known if the process dies of them. An input that is too large for the
// ring leaves an empty record.
func (r *runner) record() {
	n := input.PackedSize(r.args)
	r.bytes += uint64(n)
	if n > ringLimit {
		n = 0 // an empty record: it is not the one before
	}
	if record := r.seg.Begin(n); n > 0 {
		input.Append(record, r.args)
	}
	r.seg.Commit(n)
	r.spent++
}

// lastInput returns the newest input as it was before the execution: the target may have changed its argument.
func (r *runner) lastInput() input.Args {
	a, err := unpack(r.seg.Last(), r.kinds)
	if err != nil { // larger than the ring
		return r.args.Clone()
	}
	return a
}

// executed returns up to n inputs that were executed last, the newest first.
func (r *runner) executed(n int) (list []input.Args) {
	for _, packed := range r.seg.Recent(n) { // valid until the next execution
		if a, err := unpack(packed, r.kinds); err == nil {
			list = append(list, a)
		}
	}
	return list
}

package worker

import "testing"

// order is what the goroutine that calls the target does next, with its T. touched reports whether the target has left a trace in
// the T. An order reports whether T is untouched; if the target panics or ends its goroutine, it does not return.
type order func(t *testing.T, touched func() bool) (untouched bool)

// outcome is how an order ended.
type outcome struct {
	failed bool
	output string // of the T, if failed
	logged int    // lines of it that were there when the T failed first; 0: not known

	// cut: the execution has touched the T of the goroutine on which the job runs. The job returns without any further execution.
	cut bool
}

// ended reports whether there is nothing to look at behind an execution: its job ends.
func (o outcome) ended() bool { return o.failed || o.cut }

// executor calls the target on a goroutine that stays, under a T that stays, as long as the calls leave it untouched.
// A call that does not (it fails, panics, makes a temporary directory, runs subtests, …) ends the loop of that T, so that the
// testing package does with it what it always does; the next order starts a new one. A call that skips, logs, names helpers,
// registers cleanups or takes the context leaves a T that can be wiped.
type executor struct {
	run    RunFunc
	begin  func()                // called on the goroutine of each new T before its first order
	atEnd  func(run func()) bool // calls what the target wants to have called when an execution ends, or reports false
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
			x.loop(t, func() bool { return touched(x.atEnd) })
		})
		x.left <- outcome{failed: !ok, output: output, logged: logged}.clip()
	}
}

// do has the goroutine of a T carry out an order and waits for it.
func (x *executor) do(o order) outcome {
	if !x.alive {
		x.alive = true
		x.made++ // of package testing
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
func (x *executor) loop(t *testing.T, touched func() bool) {
	if x.within {
		x.within = false
		x.made++
		x.done <- struct{}{}
	} else {
		x.begin()
	}
	for o := range x.orders {
		x.within = true
		untouched := o(t, touched)
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

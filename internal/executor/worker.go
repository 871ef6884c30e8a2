// Package executor executes inputs in worker processes of the test binary. If a target hangs or ends its process, only the current
// input is lost.
//
// A [Worker] is one worker process. Its methods send a request and wait for the answer, and watch the process through shared
// memory meanwhile. One goroutine at a time uses a Worker; other goroutines may call [Worker.Preempt] and [Worker.Underway]. An
// [Exit] describes how a process ended.
package executor

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Time limits for a process.
const (
	// pulse is the time between two looks at the heartbeat of a process.
	pulse = 50 * time.Millisecond
	// graceToStop is how long a process may continue an execution when the run ends. A longer time delays the end of every
	// run whose target is slow; a shorter one loses failures that are under way.
	graceToStop = 500 * time.Millisecond
	// graceToLeave is how long a process may take to run its cleanups after a request to end.
	graceToLeave = 2 * time.Second
	// graceToRead is how long a process may take until it reads a message, on a machine that is busy with other things.
	graceToRead = 30 * time.Second
	// graceToObey is how long a process may take to print its stacks after a message.
	graceToObey = 2 * time.Second
	// GraceToDump is how long a process may take to print its stacks after a signal.
	GraceToDump = 3 * time.Second
)

// Config says how to start the processes of one target.
type Config struct {
	Path     string        // test binary
	Args     []string      // arguments, -test.fuzzworker included
	Dir      string        // working directory; empty: that of gnaw
	Env      []string      // environment; nil: that of gnaw
	Protocol string        // hash of the injected sources that gnaw has; the process must have the same
	Timeout  time.Duration // limit for one execution; 0: none
}

// Worker is a process that executes inputs.
type Worker struct {
	Hello wire.Hello

	cfg      Config
	process  *process
	shared   *shared
	output   *output
	end      ending
	known    map[uint64]bool // entries that the process has
	grace    time.Duration   // for an execution when the context ends
	patience time.Duration   // for a message to be read
}

// Setup sends the limits that hold from now on.
func (w *Worker) Setup(s wire.Setup) error { return w.write(s) }

// Knows reports whether the process has the entry.
func (w *Worker) Knows(id uint64) bool { return w.known[id] }

// Add gives the process an entry.
func (w *Worker) Add(id uint64, a input.Args) error {
	w.known[id] = true
	return w.write(wire.Entry{ID: id, Input: input.Append(nil, a)})
}

// SendWords sends the process words to use in mutants, the best first.
func (w *Worker) SendWords(words [][]byte) error { return w.write(wire.Words{List: words}) }

// Refuse has the process refuse what inputs that are no seeds do outside of it, except for what seeds have done, in the form of [wire.Ran].
// It may be called again, with more that is allowed.
func (w *Worker) Refuse(allowed [][]byte) error { return w.write(wire.Refuse{Allowed: allowed}) }

// Refused describes the action that the process refused last; empty: it refused none. newest says that the input that was executed last wanted
// to do it. The process lives.
func (w *Worker) Refused() (action string, newest bool) { return w.shared.seg.Refused() }

// Preempt asks the process to end its request soon. It may be called from any goroutine.
func (w *Worker) Preempt() { w.shared.preempt() }

// Underway returns the executions that the Fuzz request at hand has begun; 0 if there is none. It may be called from any
// goroutine.
func (w *Worker) Underway() uint64 { return w.shared.underway() }

// Stderr returns what the process has printed to its error output since the newest request began: the beginning and the end, if
// that is much. All of it is there when the process has ended.
func (w *Worker) Stderr() string { return w.output.tail.since(w.output.asked) }

// PID returns the process number.
func (w *Worker) PID() int { return w.process.cmd.Process.Pid }

// Stop ends the process in good order: F.Fuzz returns, cleanups and the rest of TestMain run. A process that does not
// end soon is killed.
func (w *Worker) Stop() {
	if w.write(wire.Stop{}) == nil {
		w.process.notify(wire.Released) // a process that is gone shows below
		deadline := time.After(graceToLeave)
		frames := w.process.frames
		for waiting := true; waiting; {
			select {
			case f := <-frames:
				if f.err != nil {
					frames = nil
				}
			case <-w.process.waited:
				waiting = false
			case <-deadline:
				waiting = false
			}
		}
	}
	w.Kill()
}

// Package executor runs inputs somewhere else: in worker processes of the user's test binary.
//
// A [Worker] is one such process. Its methods send one request and wait for the answer; meanwhile they watch the
// process by the memory that it shares, so a target that hangs or dies costs one input and never the run. A Worker is
// used by one goroutine at a time; [Worker.Preempt] and [Worker.Underway] alone may be called from others. How a process
// ended is an [Exit].
package executor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Times of the dialogue with a process.
const (
	// pulse is how often the heartbeat of a process is looked at.
	pulse = 50 * time.Millisecond
	// graceToStop is how long a process may go on with an execution when the run ends. Longer delays the end of every
	// run whose target is slow; shorter loses failures that were under way.
	graceToStop = 500 * time.Millisecond
	// graceToLeave is how long a process may take to run its cleanups after a request to end.
	graceToLeave = 2 * time.Second
	// graceToRead is how long a process may take to begin to read a message, on a machine that is busy with other things.
	graceToRead = 30 * time.Second
	// graceToObey is how long a process may take to print its stacks by itself.
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
	cmd      *exec.Cmd
	mapped   sync.Mutex   // guards seg against Kill; held by those who are not the owner
	seg      *shm.Segment // nil after Kill
	segFile  *os.File
	in       *os.File // requests
	out      *os.File // answers
	life     *os.File // stays open as long as the process may live
	leash    *os.File // the other end of life, until the process has greeted
	send     *wire.Writer
	frames   chan frame
	waited   chan struct{} // closed when the process is gone and waitErr is set
	waitErr  error
	stderr   *tail
	places   positions   // in its output
	asked    int         // how much it had printed when the request at hand began
	leaving  atomic.Bool // it ends in good order, so what it has started may stay
	hung     bool        // it was ended because an execution took too long
	stuck    bool        // it was ended because it did not take a request
	hanging  input.Args  // what it executed then
	stage    shm.Stage   // in which it was then
	killed   bool        // it was ended because the run ends
	known    map[uint64]bool
	before   atomic.Uint64 // executions begun before the request at hand
	fuzzing  atomic.Bool   // a Fuzz request is under way
	grace    time.Duration // for an execution when the context ends
	patience time.Duration // for a message to be read

	made, tried uint64 // executions and suggestions of the request with which it was killed
}

// frame is a message of the process, or the error that ended the stream.
type frame struct {
	kind    wire.Type
	payload []byte
	err     error
}

// Start starts a process and waits until it has reached F.Fuzz. If the process ends before, the error is a
// *StartError.
func Start(ctx context.Context, cfg Config, global *Global) (*Worker, error) {
	w := &Worker{
		cfg: cfg, frames: make(chan frame), waited: make(chan struct{}), stderr: &tail{limit: stderrKept},
		known: map[uint64]bool{}, grace: graceToStop, patience: graceToRead,
	}
	if err := w.spawn(global); err != nil {
		return nil, fmt.Errorf("start a fuzzing process: %w", err)
	}
	if err := w.greet(ctx); err != nil {
		w.Kill()
		_ = w.leash.Close()
		return nil, err
	}
	if err := errors.Join(group.Unleash(w.leash), w.leash.Close()); err != nil {
		w.Kill()
		return nil, err
	}
	global.sized(w.Hello.Counters)
	return w, nil
}

// spawn starts the process with its pipes and its segment. After an error nothing of it is left.
func (w *Worker) spawn(global *Global) (err error) {
	var theirs, ours []io.Closer // what the process inherits, and what is of no use without it
	defer func() {
		if err != nil {
			theirs = append(theirs, ours...)
		}
		for _, c := range theirs {
			err = errors.Join(err, c.Close())
		}
	}()
	pipe := func(toProcess bool) (their, our *os.File, err error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, nil, err
		}
		if their, our = w, r; toProcess {
			their, our = r, w
		}
		theirs, ours = append(theirs, their), append(ours, our)
		return their, our, nil
	}
	requests, in, err := pipe(true)
	if err != nil {
		return err
	}
	answers, out, err := pipe(false)
	if err != nil {
		return err
	}
	lifeline, life, err := pipe(true)
	if err != nil {
		return err
	}
	if w.segFile, err = memoryFile("gnaw-segment", shm.Size); err != nil {
		return err
	}
	ours = append(ours, w.segFile)
	if w.seg, err = shm.Create(w.segFile); err != nil {
		return err
	}
	ours = append(ours, w.seg)
	w.cmd = exec.Command(w.cfg.Path, w.cfg.Args...)
	w.cmd.Dir, w.cmd.Env = w.cfg.Dir, w.cfg.Env
	w.cmd.Stdout, w.cmd.Stderr = w.stderr, w.stderr // in one, as go test prints it; once it fuzzes, stdout goes nowhere
	w.cmd.WaitDelay = time.Second
	w.cmd.ExtraFiles = []*os.File{requests, answers, w.segFile, global.file, lifeline}
	group.LeaveTerminal()
	group.Lead(w.cmd)
	if err := w.cmd.Start(); err != nil {
		return err
	}
	if err := group.Leash(lifeline, w.cmd.Process); err != nil {
		group.Kill(w.cmd.Process)
		return errors.Join(err, w.cmd.Wait())
	}
	theirs = theirs[:len(theirs)-1] // the process is on the leash until it has greeted
	w.leash = lifeline
	w.in, w.out, w.life = in, out, life
	w.send = wire.NewWriter(requestPipe{in, time.Second, int(graceToRead / time.Second)})
	go w.receive()
	go func() {
		w.waitErr = group.Wait(w.cmd, w.leaving.Load)
		close(w.waited)
	}()
	return nil
}

// receive hands frames on until the stream ends. Kill takes what nobody waits for.
func (w *Worker) receive() {
	defer close(w.frames)
	r := wire.NewReader(w.out)
	for {
		kind, payload, err := r.Next()
		w.frames <- frame{kind, payload, err}
		if err != nil {
			return
		}
	}
}

// greet waits for Hello.
func (w *Worker) greet(ctx context.Context) error {
	waited, streamOver := w.waited, (<-chan time.Time)(nil)
	limit := StartLimit(w.cfg.Timeout)
	tooLate := time.After(limit)
	for {
		select {
		case f := <-w.frames:
			if more, err := w.greeted(ctx, f); err != nil || !more {
				return err
			}
		case <-tooLate:
			return w.blocked(limit)
		case <-waited: // the end of the stream follows, unless a child of the process holds the pipe
			waited = nil
			streamOver = time.After(graceToStop)
		case <-streamOver:
			return w.startError(ctx, io.EOF)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// StartLimit is how long a process may take to get to F.Fuzz, or a replay to its subtest, where one execution may take so long: the
// setup of a test may start a database.
func StartLimit(timeout time.Duration) time.Duration { return max(2*time.Minute, 10*timeout) }

// blocked ends a process that does not get to F.Fuzz, and says where it is.
func (w *Worker) blocked(limit time.Duration) error {
	dump(w.cmd.Process)
	select {
	case <-w.waited:
	case <-time.After(GraceToDump):
	}
	w.Kill()
	return &StartError{
		Err: fmt.Errorf("it did not get to F.Fuzz within %v; a higher -timeout gives it more", limit), Code: -1, Stderr: w.stderr.String(),
	}
}

// greeted takes one of the first frames of a process, which are its Hello. more says that another one follows.
func (w *Worker) greeted(ctx context.Context, f frame) (more bool, err error) {
	if f.err != nil {
		return false, w.startError(ctx, f.err)
	}
	if f.kind != wire.TypeHello {
		return false, w.startError(ctx, fmt.Errorf("unexpected message %#x", uint8(f.kind)))
	}
	hello, err := wire.DecodeHello(f.payload)
	if err != nil {
		return false, w.startError(ctx, err)
	}
	if hello.Protocol != w.cfg.Protocol {
		return false, fmt.Errorf("%s was built by another version of gnaw; build it again with this one", w.cfg.Path)
	}
	hello.Seeds = append(w.Hello.Seeds, hello.Seeds...)
	more, hello.More = hello.More, false
	w.Hello = hello
	return more, nil
}

// startError ends the process and says why it did not get to fuzzing. The reason is the end of the context if that is why
// the process was interrupted: a terminal sends ^C to all processes, and this one was not yet prepared.
func (w *Worker) startError(ctx context.Context, err error) error {
	if wire.IsGarbage(err) {
		w.Kill()
	}
	e := &StartError{Err: err, Code: -1}
	select {
	case <-w.waited:
		e.Code, e.Wait, e.Stderr = w.cmd.ProcessState.ExitCode(), w.waitErr, w.stderr.String()
		e.External = !wire.IsGarbage(err) && EndedFromOutside(w.cmd.ProcessState)
		if interrupted(w.cmd.ProcessState) && endsSoon(ctx) {
			return ctx.Err()
		}
	case <-time.After(graceToLeave):
	}
	return e
}

// endsSoon waits for the end of the context as long as that may take when both have the same cause.
func endsSoon(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(graceToStop):
		return false
	}
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

// Preempt asks the process to end its request soon. It may be called from any goroutine.
func (w *Worker) Preempt() {
	w.mapped.Lock()
	defer w.mapped.Unlock()
	if w.seg != nil {
		w.seg.Preempt()
	}
}

// Underway returns the executions that the Fuzz request at hand has begun; 0 if there is none. It may be called from any
// goroutine.
func (w *Worker) Underway() uint64 {
	w.mapped.Lock()
	defer w.mapped.Unlock()
	if w.seg == nil || !w.fuzzing.Load() {
		return 0
	}
	return w.seg.Execs() - w.before.Load()
}

// Stop ends the process in good order: F.Fuzz returns, cleanups and the rest of TestMain run. A process that does not
// end soon is killed.
func (w *Worker) Stop() {
	if w.write(wire.Stop{}) == nil {
		w.leaving.Store(true)
		_, _ = w.life.Write([]byte{wire.Released}) // that all is in order; a process that is gone shows below
		deadline := time.After(graceToLeave)
		frames := w.frames
		for waiting := true; waiting; {
			select {
			case f := <-frames:
				if f.err != nil {
					frames = nil
				}
			case <-w.waited:
				waiting = false
			case <-deadline:
				waiting = false
			}
		}
	}
	w.Kill()
}

// Kill ends the process at once and frees what belongs to it. It may be called more than once.
func (w *Worker) Kill() {
	if w.seg == nil {
		return
	}
	select {
	case <-w.waited:
	default:
		w.leaving.Store(false)
	}
	_ = w.cmd.Process.Kill() // it may be gone already
	_ = w.out.Close()        // a child of the process may hold the other end
	for range w.frames {     // lets receive end
	}
	<-w.waited
	w.mapped.Lock()
	defer w.mapped.Unlock()
	_ = errors.Join(w.in.Close(), w.life.Close(), w.seg.Close(), w.segFile.Close())
	w.seg = nil
}

// PID returns the process number.
func (w *Worker) PID() int { return w.cmd.Process.Pid }

// StartError is a process that ended, or spoke nonsense, before it reached F.Fuzz.
type StartError struct {
	Err    error  // what was read instead of a greeting
	Wait   error  // how the process ended
	Code   int    // exit code, -1 if there is none
	Stderr string // the end of what it printed
	// External: it was ended by a signal that is no sign of a crash.
	External bool
}

// Error says that fuzzing did not begin, in the words of Go's native engine.
func (e *StartError) Error() string {
	err := e.Err
	if err == io.EOF && e.Wait != nil {
		err = e.Wait
	}
	text := fmt.Sprintf("fuzzing process terminated without fuzzing: %v", err)
	if e.Stderr != "" {
		text += "\n" + e.Stderr
	}
	return text
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

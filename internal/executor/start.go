package executor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Start starts a process and waits until it has reached F.Fuzz. If the process ends before, the error is a
// *StartError.
func Start(ctx context.Context, cfg Config, global *Global) (*Worker, error) {
	w, err := spawn(cfg, global)
	if err != nil {
		return nil, fmt.Errorf("start a fuzzing process: %w", err)
	}
	if err := w.greet(ctx); err != nil {
		w.Kill()
		w.process.closeLeash()
		return nil, err
	}
	if err := w.process.unleash(); err != nil {
		w.Kill()
		return nil, err
	}
	global.sized(w.Hello.Counters)
	return w, nil
}

// spawn starts a process with its shared memory. After an error nothing of it is left.
func spawn(cfg Config, global *Global) (*Worker, error) {
	shared, err := newShared()
	if err != nil {
		return nil, err
	}
	output := &output{tail: tail{limit: stderrKept}}
	process, err := startProcess(cfg, &output.tail, shared.file, global.file)
	if err != nil {
		return nil, errors.Join(err, shared.close())
	}
	return &Worker{
		cfg: cfg, process: process, shared: shared, output: output, known: map[uint64]bool{}, grace: graceToStop, patience: graceToRead,
	}, nil
}

// greet waits for Hello.
func (w *Worker) greet(ctx context.Context) error {
	waited, streamOver := w.process.waited, (<-chan time.Time)(nil)
	limit := StartLimit(w.cfg.Timeout)
	tooLate := time.After(limit)
	for {
		select {
		case f := <-w.process.frames:
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

// StartLimit returns how long a process may take to reach F.Fuzz, or a replay to reach its subtest, if one execution may take
// timeout. It is long because the setup of a test may start a database.
func StartLimit(timeout time.Duration) time.Duration { return max(2*time.Minute, 10*timeout) }

// blocked ends a process that does not reach F.Fuzz. The error has its stacks.
func (w *Worker) blocked(limit time.Duration) error {
	dump(w.process.cmd.Process)
	select {
	case <-w.process.waited:
	case <-time.After(GraceToDump):
	}
	w.Kill()
	return &StartError{
		Err: fmt.Errorf("it did not reach F.Fuzz within %v; raise -timeout", limit), Code: -1, Stderr: w.output.tail.String(),
	}
}

// greeted reads one of the frames of the Hello of a process. more means that another one follows.
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
	hello.Seeds, hello.Packages = append(w.Hello.Seeds, hello.Seeds...), append(w.Hello.Packages, hello.Packages...)
	more, hello.More = hello.More, false
	w.Hello = hello
	return more, nil
}

// startError ends the process and returns why it did not reach F.Fuzz. That is the error of the context if an interrupt ended
// the process: a terminal sends it to all processes, and this one did not handle it yet.
func (w *Worker) startError(ctx context.Context, err error) error {
	if wire.IsGarbage(err) {
		w.Kill()
	}
	e := &StartError{Err: err, Code: -1}
	select {
	case <-w.process.waited:
		e.Code, e.Wait, e.Stderr = w.process.cmd.ProcessState.ExitCode(), w.process.waitErr, w.output.tail.String()
		e.External = !wire.IsGarbage(err) && EndedFromOutside(w.process.cmd.ProcessState)
		if interrupted(w.process.cmd.ProcessState) && endsSoon(ctx) {
			return ctx.Err()
		}
	case <-time.After(graceToLeave):
	}
	return e
}

// endsSoon reports whether the context ends within the time that may be between two effects of the same interrupt.
func endsSoon(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(graceToStop):
		return false
	}
}

// StartError means that a process ended, or sent something else than messages, before it reached F.Fuzz.
type StartError struct {
	Err    error  // what was read instead of a Hello
	Wait   error  // how the process ended
	Code   int    // exit code, -1 if there is none
	Stderr string // the end of what it printed
	// External: a signal ended it that a fault of its own does not raise.
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

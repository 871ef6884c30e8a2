package executor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Run executes one input as m says, whose Input is set here. The error is an *Exit if the process died, the context's if it
// ended.
func (w *Worker) Run(ctx context.Context, a input.Args, m wire.Run) (ran wire.Ran, err error) {
	m.Input = input.Append(nil, a)
	if err := w.request(ctx, m); err != nil {
		return ran, err
	}
	err = w.await(ctx, 0, func(f frame) (done bool, err error) {
		if f.kind != wire.TypeRan {
			return false, fmt.Errorf("unexpected message %#x", uint8(f.kind))
		}
		ran, err = wire.DecodeRan(f.payload)
		return true, err
	})
	var exit *Exit
	if errors.As(err, &exit) && (exit.Unrecorded || exit.Execs == 0 && exit.Cause == shm.Memory) { // to copy it was too much
		exit.Input = a
	}
	return ran, err
}

// Fuzzed is the result of a Fuzz request.
type Fuzzed struct {
	wire.Done
	Failed *wire.Failed // the input that ended it, if one did
}

// Fuzz mutates an entry that the process has, for at most the given executions and about the given time. found is
// called for each input that shows something new, while the process goes on. Errors are those of Run. With that of the
// context, the result has what was done until the process was ended.
func (w *Worker) Fuzz(ctx context.Context, m wire.Fuzz, slice time.Duration, found func(wire.New)) (r Fuzzed, err error) {
	begin := time.Now()
	if err := w.request(ctx, m); err != nil {
		return r, err
	}
	w.fuzzing.Store(true)
	defer w.fuzzing.Store(false)
	err = w.await(ctx, slice, func(f frame) (done bool, err error) {
		switch f.kind {
		case wire.TypeNew:
			n, err := wire.DecodeNew(f.payload)
			if err == nil {
				found(n)
			}
			return false, err
		case wire.TypeFailed:
			failed, err := wire.DecodeFailed(f.payload)
			r.Failed = &failed
			return false, err
		case wire.TypeDone:
			r.Done, err = wire.DecodeDone(f.payload)
			return true, err
		}
		return false, fmt.Errorf("unexpected message %#x", uint8(f.kind))
	})
	if err == nil {
		w.seg.ClearPreempt() // not when a request begins: it may be for that one
	} else if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		r.Execs, r.Tried, r.Nanos = w.made, w.tried, uint64(time.Since(begin))
	}
	return r, err
}

// position looks at what the process has printed, and then at what it has executed.
func (w *Worker) position() position {
	printed := w.stderr.written()
	return position{printed, w.seg.Execs()}
}

// request sends m. A process that died in between shows as an *Exit.
func (w *Worker) request(ctx context.Context, m wire.Message) error {
	at := w.position()
	w.before.Store(at.execs)
	w.asked = at.printed
	w.places.add(at)
	if err := w.write(m); err != nil {
		return w.await(ctx, 0, func(frame) (bool, error) { return false, nil })
	}
	return nil
}

// write sends m. A process that reads nothing is ended.
func (w *Worker) write(m wire.Message) error {
	err := w.send.Send(m)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.stuck = true
		_ = w.cmd.Process.Kill()
	}
	return err
}

// await handles frames until handle says done. It ends the request after slice and the process when an execution takes
// longer than the timeout, or when the context ends and the process does not react.
func (w *Worker) await(ctx context.Context, slice time.Duration, handle func(frame) (bool, error)) error {
	var sliceOver, patienceOver <-chan time.Time
	if slice > 0 {
		t := time.NewTimer(slice)
		defer t.Stop()
		sliceOver = t.C
	}
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	still := newStandstill(time.Now)
	watch := newHeartbeat(w.seg, w.before.Load(), time.Now, func() time.Duration { return ProcessorTime(w.cmd.Process.Pid) })
	canceled, waited, signaled := ctx.Done(), w.waited, false
	for {
		select {
		case <-waited: // the end of the stream follows, unless a child of the process holds the pipe
			waited = nil
			patienceOver = time.After(graceToStop)
		case f := <-w.frames:
			if f.err != nil {
				return w.gone(ctx, f.err)
			}
			done, err := handle(f)
			if err != nil {
				w.Kill()
				return &ProtocolError{err}
			}
			switch {
			case done && w.hung: // it outlived the request for its stacks
				_ = w.cmd.Process.Kill() // the end of the stream follows
			case done:
				return nil
			}
		case <-sliceOver:
			w.seg.Preempt()
		case <-beat.C:
			w.places.add(w.position())
			watch.skip(still.lost())
			switch {
			case w.hung || w.stuck:
			case watch.deaf(w.patience):
				w.stuck = true
				_ = w.cmd.Process.Kill() // the end of the stream follows
			case watch.hung(w.cfg.Timeout):
				w.hung, w.hanging, w.stage = true, w.last(), w.seg.Stage()
				_, _ = w.life.Write([]byte{wire.Stacks}) // a process that is gone, or does not do it, shows below
				patienceOver = time.After(graceToObey)
			}
		case <-canceled:
			canceled = nil
			w.seg.Preempt()
			if !w.hung {
				patienceOver = time.After(w.grace)
			}
		case <-patienceOver:
			switch {
			case waited == nil:
				return w.gone(ctx, io.EOF)
			case w.hung && !signaled:
				signaled = true
				dump(w.cmd.Process)
				patienceOver = time.After(GraceToDump)
				continue
			}
			w.killed = !w.hung
			_ = w.cmd.Process.Kill() // the end of the stream follows
		}
	}
}

// ProtocolError is a process that does not speak our language: the target wrote into the pipe.
type ProtocolError struct{ Err error }

// Error describes it in the words of Go's native engine.
func (e *ProtocolError) Error() string {
	return fmt.Sprintf("communicating with fuzzing process: %v", e.Err)
}

// Unwrap returns the cause.
func (e *ProtocolError) Unwrap() error { return e.Err }

// gone turns the end of the stream into an error.
func (w *Worker) gone(ctx context.Context, err error) error {
	if wire.IsGarbage(err) {
		w.Kill()
		return &ProtocolError{err}
	}
	select {
	case <-w.waited:
	case <-time.After(graceToLeave): // the pipe is closed, but the process lives
		_ = w.cmd.Process.Kill()
		<-w.waited
	}
	if w.killed && ctx.Err() != nil {
		w.made, w.tried = w.seg.Execs()-w.before.Load(), w.seg.Tried()
		w.Kill()
		return ctx.Err()
	}
	exit := w.exit()
	w.Kill()
	return exit
}

// exit describes how the process ended.
func (w *Worker) exit() *Exit {
	stderr := w.stderr.String()
	e := &Exit{
		Err:      w.waitErr,
		Hang:     w.hung,
		Timeout:  w.cfg.Timeout,
		Cause:    w.seg.Cause(),
		Stage:    w.seg.Stage(),
		Stderr:   stderr,
		Before:   len(stderr) - len(w.stderr.since(w.places.of(w.seg.Execs()))),
		External: !w.stuck && w.seg.Cause() == shm.NoCause && EndedFromOutside(w.cmd.ProcessState),
		Stuck:    w.stuck,
		Execs:    w.seg.Execs() - w.before.Load(),
		Tried:    w.seg.Tried(),
	}
	record := w.seg.Last()
	e.Unrecorded = record != nil && len(record) == 0
	if e.Input = w.decode(record); w.hung { // it may have gone on since
		e.Input, e.Stage = w.hanging, w.stage
	}
	return e
}

// last returns what the process executed last, nil if it had not begun, or if that is too large to be recorded.
func (w *Worker) last() input.Args { return w.decode(w.seg.Last()) }

func (w *Worker) decode(record []byte) input.Args {
	a, _, err := input.Decode(record, w.Hello.Kinds)
	if err != nil {
		return nil
	}
	return a
}

// Exit is a process that ended although nobody asked it to.
type Exit struct {
	Err      error // of exec.Cmd.Wait; nil: it exited with code 0
	Hang     bool  // an execution took longer than Timeout
	Timeout  time.Duration
	Cause    shm.Cause  // why it ended itself, if it did
	Stage    shm.Stage  // what it was doing
	Input    input.Args // what it executed, nil if it had not begun, or if that is unrecorded and was made in the process
	Stderr   string     // the beginning and the end of what it printed: the stacks, when the runtime ended it
	Before   int        // bytes of Stderr that were there before Input was executed, at least
	External bool       // it was ended by a signal that is no sign of a crash
	Stuck    bool       // it was ended because it did not take a request, which is no fault of Input
	Execs    uint64     // executions that it began for the request
	Tried    uint64     // suggestions for the entry that were tried, if there were any

	Unrecorded bool // what it executed is larger than shm.MaxRecord
}

// Error describes the end in the words of Go's native engine.
func (e *Exit) Error() string {
	err := e.Err
	if err == nil {
		err = errors.New("exit status 0")
	}
	return fmt.Sprintf("fuzzing process hung or terminated unexpectedly: %v", err)
}

// Code returns the exit code, -1 if a signal ended the process.
func (e *Exit) Code() int {
	var exit *exec.ExitError
	if errors.As(e.Err, &exit) {
		return exit.ExitCode()
	}
	if e.Err != nil {
		return -1
	}
	return 0
}

package executor

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// ending is why gnaw has ended the process, if it has.
type ending struct {
	hung    bool       // an execution took too long
	hanging input.Args // what was executed then
	stage   shm.Stage  // in which the process was then
	stuck   bool       // it did not take a request
	killed  bool       // the run ends

	made, tried uint64 // executions and suggestions of the request with which it was killed
}

// gone turns the end of the stream into an error.
func (w *Worker) gone(ctx context.Context, err error) error {
	if wire.IsGarbage(err) {
		w.Kill()
		return &ProtocolError{err}
	}
	select {
	case <-w.process.waited:
	case <-time.After(graceToLeave): // the pipe is closed, but the process lives
		w.process.kill()
		<-w.process.waited
	}
	if w.end.killed && ctx.Err() != nil {
		w.end.made, w.end.tried = w.shared.seg.Execs()-w.shared.before.Load(), w.shared.seg.Tried()
		w.Kill()
		return ctx.Err()
	}
	exit := w.exit()
	w.Kill()
	return exit
}

// exit describes how the process ended.
func (w *Worker) exit() *Exit {
	stderr := w.output.tail.String()
	e := &Exit{
		Err:      w.process.waitErr,
		Hang:     w.end.hung,
		Timeout:  w.cfg.Timeout,
		Cause:    w.shared.seg.Cause(),
		Stage:    w.shared.seg.Stage(),
		Stderr:   stderr,
		Before:   len(stderr) - len(w.output.tail.since(w.output.places.of(w.shared.seg.Execs()))),
		External: !w.end.stuck && w.shared.seg.Cause() == shm.NoCause && EndedFromOutside(w.process.cmd.ProcessState),
		Stuck:    w.end.stuck,
		Execs:    w.shared.seg.Execs() - w.shared.before.Load(),
		Tried:    w.shared.seg.Tried(),
	}
	if action, newest := w.shared.seg.Refused(); newest {
		e.Refused = action
	}
	record := w.shared.seg.Last()
	e.Unrecorded = record != nil && len(record) == 0
	if e.Input = w.decode(record); w.end.hung { // it may have continued since then
		e.Input, e.Stage = w.end.hanging, w.end.stage
	}
	return e
}

// last returns what the process executed last; nil if it executed nothing, or if the input is too large to be recorded.
func (w *Worker) last() input.Args { return w.decode(w.shared.seg.Last()) }

func (w *Worker) decode(record []byte) input.Args {
	a, _, err := input.Decode(record, w.Hello.Kinds)
	if err != nil {
		return nil
	}
	return a
}

// Kill ends the process at once and frees what belongs to it. It may be called more than once.
func (w *Worker) Kill() {
	if w.shared.seg == nil {
		return
	}
	w.process.end()
	_ = w.shared.close()
}

// ProtocolError means that a process sent something else than messages: the target wrote into the pipe.
type ProtocolError struct{ Err error }

// Error describes it in the words of Go's native engine.
func (e *ProtocolError) Error() string {
	return fmt.Sprintf("communicating with fuzzing process: %v", e.Err)
}

// Unwrap returns the cause.
func (e *ProtocolError) Unwrap() error { return e.Err }

// Exit is the end of a process that was not asked to end.
type Exit struct {
	Err      error // of exec.Cmd.Wait; nil: it exited with code 0
	Hang     bool  // an execution took longer than Timeout
	Timeout  time.Duration
	Cause    shm.Cause  // why it ended itself, if it did
	Stage    shm.Stage  // what it was doing
	Input    input.Args // what it executed, nil if it executed nothing, or if the input is unrecorded and was made in the process
	Stderr   string     // the beginning and the end of what it printed: the stacks, when the runtime ended it
	Before   int        // bytes of Stderr that were printed before Input was executed, at least
	External bool       // a signal ended it that a fault of its own does not raise
	Stuck    bool       // it was ended because it did not read a request; Input is not the reason
	Execs    uint64     // executions that it began for the request
	Tried    uint64     // suggestions for the entry that were tried, if there were any
	Refused  string     // what Input was not allowed to do outside of the process; empty: nothing was refused

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

// FromOutside reports whether something outside has ended the process, and gnaw has not done so because of a hang.
func (e *Exit) FromOutside() bool { return e.External && !e.Hang }

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

package executor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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
	if errors.As(err, &exit) && (exit.Unrecorded || exit.Execs == 0 && exit.Cause == shm.Memory) { // to record it took too much memory
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
// called for each input that shows something new, while the process continues. Errors are those of Run. With that of the
// context, the result has what was done until the process was ended.
func (w *Worker) Fuzz(ctx context.Context, m wire.Fuzz, slice time.Duration, found func(wire.New)) (r Fuzzed, err error) {
	begin := time.Now()
	if err := w.request(ctx, m); err != nil {
		return r, err
	}
	w.shared.fuzzing.Store(true)
	defer w.shared.fuzzing.Store(false)
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
		w.shared.seg.ClearPreempt() // not when a request begins: Preempt may have been called for that one
	} else if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		r.Execs, r.Tried, r.Nanos = w.end.made, w.end.tried, uint64(time.Since(begin))
	}
	return r, err
}

// request sends m. A process that died in between shows as an *Exit.
func (w *Worker) request(ctx context.Context, m wire.Message) error {
	at := w.position()
	w.shared.before.Store(at.execs)
	w.output.asked = at.printed
	w.output.places.add(at)
	if err := w.write(m); err != nil {
		return w.await(ctx, 0, func(frame) (bool, error) { return false, nil })
	}
	return nil
}

// position reads how much the process has printed, and after that how much it has executed.
func (w *Worker) position() position {
	printed := w.output.tail.written()
	return position{printed, w.shared.seg.Execs()}
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
	watch := newHeartbeat(w.shared.seg, w.shared.before.Load(), time.Now, func() Use { return ProcessorUse(w.process.cmd.Process.Pid) })
	canceled, waited, signaled := ctx.Done(), w.process.waited, false
	for {
		select {
		case <-waited: // the end of the stream follows, unless a child of the process holds the pipe
			waited = nil
			patienceOver = time.After(graceToStop)
		case f := <-w.process.frames:
			if f.err != nil {
				return w.gone(ctx, f.err)
			}
			done, err := handle(f)
			if err != nil {
				w.Kill()
				return &ProtocolError{err}
			}
			switch {
			case done && w.end.hung: // it has finished although it was asked for its stacks
				w.process.kill() // the end of the stream follows
			case done:
				return nil
			}
		case <-sliceOver:
			w.shared.seg.Preempt()
		case <-beat.C:
			watch.skip(still.lost())
			if w.look(watch) {
				patienceOver = time.After(graceToObey)
			}
		case <-canceled:
			canceled = nil
			w.shared.seg.Preempt()
			if !w.end.hung {
				patienceOver = time.After(w.grace)
			}
		case <-patienceOver:
			switch {
			case waited == nil:
				return w.gone(ctx, io.EOF)
			case w.end.hung && !signaled:
				signaled = true
				dump(w.process.cmd.Process)
				patienceOver = time.After(GraceToDump)
				continue
			}
			w.end.killed = !w.end.hung
			w.process.kill() // the end of the stream follows
		}
	}
}

// look sees whether the process still works. It asks a process that hangs for its stacks, and reports whether it did so now.
func (w *Worker) look(watch *heartbeat) (asked bool) {
	w.output.places.add(w.position())
	switch {
	case w.end.hung || w.end.stuck:
	case watch.deaf(w.patience):
		w.end.stuck = true
		w.process.kill() // the end of the stream follows
	case watch.hung(w.cfg.Timeout):
		w.end.hung, w.end.hanging, w.end.stage = true, w.last(), w.shared.seg.Stage()
		w.process.notify(wire.Stacks) // a process that is gone, or does not print them, shows when the patience is over
		return true
	}
	return false
}

// write sends m. It ends a process that reads nothing.
func (w *Worker) write(m wire.Message) error {
	err := w.process.send.Send(m)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.end.stuck = true
		w.process.kill()
	}
	return err
}

package engine

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// state is what the stages share: one type for each matter, each with its own lock. Its methods are those that concern several of
// them, and are called without any lock.
type state struct {
	*Options
	turn     *turn
	meter    *meter
	events   *events
	pool     *pool
	refusals *refusals
	warmup   *warmup
	imports  *imports
	entries  *entries
	lengths  *lengths
	saver    *saver // of the turn
	ledger   *ledger
	files    *files
	queue    *queue // of the oracles

	prepared atomic.Bool // the corpus is loaded
}

func newState(o *Options) *state {
	m, e := &meter{opts: o}, &events{opts: o}
	t := newTurn(o, m)
	r := &refusals{opts: o, events: e}
	p := newPool(o, t, m, e)
	l, c := newLedger(o, t, m, p), newEntries(o, m)
	return &state{
		Options: o, turn: t, meter: m, events: e, pool: p, refusals: r, warmup: newWarmup(o), imports: &imports{}, entries: c,
		lengths: newLengths(o), ledger: l, files: newFiles(o, e, c), queue: newQueue(o, m, l),
	}
}

// account takes a promise of executions back and counts those that were made, with the time that they took.
func (s *state) account(granted, made, nanos uint64) {
	s.meter.account(granted, made, nanos)
	if made > 0 {
		s.pool.worked()
	}
	s.turn.wake()
}

// fail ends the run with an error; nil and errors that the end of the run explains change nothing.
func (s *state) fail(err error) {
	if err == nil || s.turn.unlessStopped(err) == nil {
		return
	}
	if s.KeepGoing || s.ledger.isEmpty() {
		s.turn.setError(err)
	}
	s.turn.stop()
}

// addEntry adds an entry to the corpus, and to those that the oracles look at.
func (s *state) addEntry(e *schedule.Entry) {
	s.entries.add(e)
	s.queue.add(e.Args)
}

// importEntries has entries of other processes executed.
func (s *state) importEntries(entries []Imported) {
	s.imports.add(toImport(entries))
	s.turn.wake()
}

// warmed notes that an input of the warm-up is done with. The last one is reported before fuzzing begins.
func (s *state) warmed(w *warmEntry) {
	if w.isZero {
		return
	}
	if s.warmup.isLast() { // nothing is chosen to be mutated until it is finished
		run := s.Snapshot().Run
		run.WarmDone, run.WarmingUp = run.WarmTotal, false
		s.events.emit(event.WarmedUp{Subject: s.Target, Run: run})
	}
	s.meter.warmed()
	s.warmup.finish(w)
	s.turn.wake()
}

// warmFailed notes that an input of the warm-up has failed, and is done with; nil is none.
func (s *state) warmFailed(w *warmEntry) {
	if w == nil {
		return
	}
	s.warmup.fail(w)
	s.warmed(w)
}

// execute executes an input by the worker of a slot, with a stack of that many bytes, and says how it failed; nil: it did not. A
// process that ends by it is dropped.
func (s *state) execute(ctx context.Context, sl *slot, stack int, a input.Args) (*finding.Finding, error) {
	if err := s.pool.ensure(ctx, sl, stack); err != nil {
		return nil, err
	}
	r, err := proof.Execute(ctx, sl.worker, proof.Execution{Args: a}, wire.Run{})
	switch {
	case err != nil:
		s.pool.kill(sl)
		return nil, err
	case r.Exit == nil:
		s.account(0, r.Execs, r.Nanos)
		return r.Failure, nil
	}
	s.pool.kill(sl)
	s.account(0, r.Exit.Execs, 0)
	s.nameLimit(r.Failure, r.Exit)
	return r.Failure, nil
}

// describe describes the input that a process died of.
func (s *state) describe(exit *executor.Exit) *finding.Finding {
	f := proof.Died(exit)
	s.nameLimit(f, exit)
	return f
}

// nameLimit has a finding of too much memory name the limit of the options, which the user knows. gnaw raises that of processes.
func (s *state) nameLimit(f *finding.Finding, exit *executor.Exit) {
	if exit.Cause == shm.Memory && s.MemLimit > 0 {
		proof.NameLimit(f, s.MemLimit)
	}
}

// apart executes an input in a process beside those of the slots, which start starts, and ends the process. The errors are those of
// [proof.Execute].
func apart(ctx context.Context, start StartFunc, setup func(hello wire.Hello) wire.Setup, x proof.Execution) (r proof.Ran, err error) {
	w, err := startApart(ctx, start, setup)
	if err != nil {
		return r, err
	}
	defer w.Stop()
	return proof.Execute(ctx, w, x, wire.Run{})
}

// startApart starts a process beside those of the slots, which the caller stops. Its error says what failed.
func startApart(ctx context.Context, start StartFunc, setup func(hello wire.Hello) wire.Setup) (Worker, error) {
	w, hello, err := start(ctx)
	if err != nil {
		return nil, err
	}
	if err := w.Setup(setup(hello)); err != nil {
		w.Stop()
		return nil, fmt.Errorf("set up a fuzzing process: %w", err)
	}
	return w, nil
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// state is what the stages share: one type for each matter, each with its own lock. Its methods are those that concern several of
// them, and are called without any lock.
type state struct {
	*Options
	turn    *turn
	meter   *meter
	events  *events
	pool    *pool
	warmup  *warmup
	imports *imports
	entries *entries
	lengths *lengths
	saver   *saver // of the turn
	ledger  *ledger
	files   *files
	queue   *queue // of the oracles

	prepared atomic.Bool // the corpus is loaded
}

func newState(o *Options) *state {
	m, e := &meter{opts: o}, &events{opts: o}
	t := newTurn(o, m)
	p := newPool(o, t, m, e)
	l, c := newLedger(o, t, m, p), newEntries(o, m)
	return &state{
		Options: o, turn: t, meter: m, events: e, pool: p, warmup: newWarmup(o), imports: &imports{}, entries: c,
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
	list := make([]*importEntry, len(entries))
	for i, e := range entries {
		list[i] = &importEntry{Imported: e, name: nameOf(e.Args)}
	}
	s.imports.add(list)
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
		s.events.emit(event.WarmedUp{Target: s.Target, Run: run})
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
	ran, err := sl.worker.Run(ctx, a, wire.Run{})
	if err == nil {
		s.account(0, ran.Execs, ran.Nanos)
		if !ran.Failed {
			return nil, nil
		}
		f := triage.Failed(a, ran.Output, ran.Logged)
		f.Input = a
		return f, nil
	}
	s.pool.kill(sl)
	var exit *executor.Exit
	if !errors.As(err, &exit) || exit.External && !exit.Hang {
		return nil, err
	}
	s.account(0, exit.Execs, 0)
	died := triage.Died(exit)
	died.Input = a
	return died, nil
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

package engine

import (
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// importing executes the entries that other processes have found.
type importing struct {
	*state
	verifier *verifier
}

// importTask is to execute one of them.
type importTask struct {
	*importing
	entry *importEntry
}

// next returns the next task; nil: there is none.
func (i *importing) next() task {
	binary := i.pool.binaryDigest()
	for e := i.imports.next(); e != nil; e = i.imports.next() {
		features, known := e.Shown.In(binary)
		if !e.claimed && !i.entries.claimName(e.name) || known && i.entries.isShown(features) {
			i.imports.done()
			continue
		}
		e.claimed = true
		return &importTask{i, e}
	}
	return nil
}

func (t *importTask) grant() uint64 { return 1 }

func (t *importTask) wholeStack() bool { return false }

func (t *importTask) giveBack() { t.imports.putBack(t.entry) }

func (t *importTask) perform(s *slot) error {
	e := t.entry
	if err := input.CheckKinds(e.Args, t.entries.argumentKinds()); err != nil {
		t.imports.done()
		t.events.warn(fmt.Sprintf("an input of another process is not one of this target: %v", err))
		return nil
	}
	ran, err := s.worker.Run(t.turn.ctx, e.Args, wire.Run{Trace: t.entries.isInstrumented()})
	var exit *executor.Exit
	wasKilled := errors.As(err, &exit) && exit.External && !exit.Hang // through no fault of the input, unless it happens again
	if isContext(err) || wasKilled && !e.killed {
		e.killed = e.killed || wasKilled
		t.imports.putBack(e)
		return t.verifier.lost(s, err, nil)
	}
	defer t.imports.done()
	if err != nil {
		return t.verifier.lost(s, err, nil)
	}
	t.account(0, max(ran.Execs, 1), ran.Nanos)
	if ran.Failed {
		return t.verifier.failed(s, wire.Failed{Input: input.Append(nil, e.Args), Output: ran.Output, Logged: ran.Logged}, nil)
	}
	if len(ran.Added) > 0 {
		t.accept(e, ran)
	}
	return nil
}

// accept makes an entry of an input that shows something new.
func (t *importTask) accept(e *importEntry, ran wire.Ran) {
	entry := &schedule.Entry{
		Args: e.Args, Duration: t.meter.duration(ran.Nanos, e.Args.Size()), Features: ran.Features, Edges: ran.Edges, Path: e.Path,
	}
	t.lengths.allow(e.Args, false)
	t.entries.addNew(entry)
	t.queue.add(entry.Args)
	if e.Path != "" {
		t.events.kept(Kept{Args: e.Args, Features: entry.Features, Path: e.Path})
	} else {
		t.saver.save(entry, len(ran.Added), 0)
	}
}

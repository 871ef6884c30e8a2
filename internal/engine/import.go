package engine

import (
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// importing executes the entries that other processes have found, and the boundary inputs.
type importing struct {
	*state
	verifier *verifier
}

// importTask is to execute one of them.
type importTask struct {
	*importing
	entry *importEntry
}

// next returns the next task; nil: there is none. It is called when the warm-up is over.
func (i *importing) next() task {
	if i.Boundary && i.imports.takeBoundary(i.boundaryPicks()) {
		i.imports.addFirst(toImport(boundaryInputs(i.entries.argumentKinds(), i.warmup.basesOfBoundary())))
	}
	binary := i.pool.binaryDigest()
	for e := i.imports.next(); e != nil; e = i.imports.next() {
		features, known := e.Shown.In(binary)
		if !e.claimed && !i.entries.claimImport(e.name) || known && i.entries.isShown(features) {
			i.imports.done()
			continue
		}
		e.claimed = true
		return &importTask{i, e}
	}
	return nil
}

const (
	// boundaryPicks is how often an entry is picked before the boundary inputs are executed. What gnaw derives from the comparisons of a seed,
	// such as its checksums, it derives best while most of what lies behind them is new: in 2 of 12 runs of the puzzle crctext it did not
	// derive it behind boundary inputs any more.
	boundaryPicks = 8
	// fewExecs is the limit of executions up to which they are executed first.
	fewExecs = 1000
)

// boundaryPicks returns how often an entry is picked before the boundary inputs are executed.
func (i *importing) boundaryPicks() int {
	if i.MaxExecs > 0 && i.MaxExecs <= fewExecs {
		return 0
	}
	return boundaryPicks
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
	t.entries.addNew(e.name, entry)
	t.queue.add(entry.Args)
	if e.Path != "" {
		t.events.kept(Kept{Args: e.Args, Features: entry.Features, Path: e.Path})
	} else {
		t.saver.save(entry, len(ran.Added), 0)
	}
}

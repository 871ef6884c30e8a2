package engine

import (
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// warming executes seeds and cached entries for the first time.
type warming struct {
	*state
	verifier *verifier
}

// warmTask is to execute one input of the warm-up.
type warmTask struct {
	*warming
	entry *warmEntry
}

func (t *warmTask) grant() uint64 { return 1 }

func (t *warmTask) wholeStack() bool { return t.entry.deep }

func (t *warmTask) giveBack() { t.warmup.postpone(t.entry) }

// largeInput is the size of an input, in bytes, from which its execution with all that belongs to it may take seconds.
const largeInput = 1 << 20

// announce says once that a large input is executed, because until it ends the number of executions may stand still.
func (t *warmTask) announce(w *warmEntry) {
	if size := w.args.Size(); size >= largeInput {
		t.events.warnOnce(&t.warmup.large, fmt.Sprintf("gnaw executes the input %s of %.1f MiB for the first time; executions of such inputs may take seconds",
			w.name, float64(size)/(1<<20)))
	}
}

func (t *warmTask) perform(s *slot) error {
	w := t.entry
	t.announce(w)
	ran, err := s.worker.Run(t.turn.ctx, w.args, wire.Run{Trace: t.entries.isInstrumented(), Given: w.isSeed})
	if err != nil {
		if isContext(err) {
			t.warmup.postpone(w)
		}
		return t.verifier.lost(s, err, w)
	}
	t.refusals.note(ran.Actions)
	t.account(0, max(ran.Execs, 1), ran.Nanos)
	if ran.Failed {
		failed := wire.Failed{Input: input.Append(nil, w.args), Output: ran.Output, Logged: ran.Logged}
		return t.verifier.failed(s, failed, w)
	}
	e := &schedule.Entry{
		Args: w.args, Duration: t.meter.duration(ran.Nanos, w.args.Size()),
		Features: ran.Features, Edges: ran.Edges, Path: w.name,
	}
	t.lengths.allow(w.args, w.isSeed)
	t.warmup.pass(w)
	t.addEntry(e)
	if w.isZero && len(ran.Added) > 0 {
		t.saver.save(e, len(ran.Added), 0)
	} else {
		t.events.kept(Kept{Args: e.Args, Features: e.Features, Path: w.name, Given: !w.isZero})
	}
	t.warmed(w)
	return nil
}

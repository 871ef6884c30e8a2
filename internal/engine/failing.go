package engine

import (
	"errors"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// When every input of the warm-up fails, a run that keeps going looks for mutants that pass: it mutates the failing seeds.

// errNothing ends a run in which all inputs that there are take too long.
var errNothing = errors.New("there is nothing to fuzz: all seeds and the empty input exceed the limit for one execution in " +
	"instrumented code; raise -fuzztimeout, or add a smaller seed with F.Add")

// revive finds something to execute when no input of the warm-up has passed: the zero value, and if that fails too and the run
// keeps going, the failing inputs become entries, but not while executions are promised. It returns nil if there is nothing, or if
// their mutants fail as they do. It is called with the lock of the turn.
func (e *engine) revive(left uint64, promised bool) task {
	if e.warmup.allFail() {
		return nil
	}
	if !promised && e.warmup.tryZero() {
		e.enqueueZero()
		if w := e.warmup.next(); w != nil {
			return &warmTask{e.warming, w}
		}
	}
	if !promised && e.KeepGoing {
		for _, w := range e.warmup.takeFailed() {
			e.lengths.allow(w.args, w.isSeed)
			entry := &schedule.Entry{Args: w.args, Duration: time.Microsecond, Path: w.name}
			e.addEntry(entry)
			e.entries.markFailing(entry.ID)
		}
	}
	if e.entries.len() == 0 {
		return nil
	}
	return e.requests.choose(left)
}

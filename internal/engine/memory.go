package engine

import (
	"cmp"
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
)

// maxPassed is how many inputs are replayed that need too much memory in the same place, but not in plain go test.
const maxPassed = 3

// memory deals with inputs that need more memory than a worker may have, or than the system has.
type memory struct {
	*state
	replays   *replays
	minimizer *minimizer

	grown atomic.Bool // the user knows that processes keep memory
}

// usedTooMuch keeps an input that needed more memory than the limit, if it is the first that does so in its way, and goes on: the target
// has not failed, and plain go test may well pass on a large machine. It is the finding of the run if nothing else is found. Workers that
// start from now on count only memory that is really used, so that one place that takes much does not hide all others. others are failures
// that showed while the input was minimized.
func (m *memory) usedTooMuch(s *slot, f *finding.Finding, warm *warmEntry) (others []*finding.Finding) {
	m.warmFailed(warm)
	limit := m.pool.raiseLimit()
	if !m.ledger.claimOverLimit(f, claimantOf(warm)) {
		return nil
	}
	defer m.ledger.noteVerdict(f)
	if warm != nil && warm.isSeed {
		f.Seed = warm.name
		m.events.emit(event.SeedFailed{Subject: m.Target, Seed: warm.name})
		m.prove(s, f, limit)
		return nil
	}
	m.files.put(f)
	if m.KeepGoing && m.minimizer.isOn() {
		s.memLimit = clearlyMore(limit, roomForOne(m.MemRoom))
		others = m.minimizer.minimize(s, f)
		m.pool.end(s)
		s.memLimit = 0
	}
	// Two looks at one execution may name two places, or none. Each finding is claimed by what it names.
	isTwin := m.ledger.isTwin(f)
	if !isTwin {
		m.prove(s, f, limit)
	}
	m.files.keep(f)
	if isTwin {
		return others
	}
	m.events.emit(event.OverLimit{Subject: m.Target, Message: f.Message, Path: cmp.Or(f.Path, f.Kept)})
	return others
}

// clearlyMore returns the limit that a smaller input has to exceed than one that exceeds limit. What is on the heap also has the buffers
// of the engine, and what the execution before has left, so an input that needs little less than the limit would exceed it by chance,
// and minimizing leads there. room is what one process may have; 0: not known.
func clearlyMore(limit, room uint64) uint64 {
	more := 2*limit + limit/4
	if room > 0 {
		more = min(more, room)
	}
	return max(more, limit)
}

// hasGrown reports whether a process was over the limit by what all its executions have left behind, and not by the input: then
// another process is started. In a run that keeps going the input is replayed later, and marked if it is not the reason.
func (m *memory) hasGrown(f *finding.Finding) bool {
	limit, unraised := m.pool.unraised()
	if m.KeepGoing || !unraised {
		return false
	}
	if needs, err := m.exceeds(m.turn.verifying(), f.Input, limit); err != nil || needs {
		return false
	}
	m.events.warnOnce(&m.grown, fmt.Sprintf("a fuzzing process has used more than %d MiB, and no single input needs that much: executions "+
		"do not release memory, so gnaw replaces such processes", limit>>20))
	return true
}

// passes reports whether plain go test has enough memory for an input that ended the process because the system gave it no more. A
// worker needs a little more than plain go test does. The error is about the file of the input.
func (m *memory) passes(f *finding.Finding, warm *warmEntry) (bool, error) {
	known, passed := m.ledger.checkedBefore(f)
	switch {
	case warm != nil || m.Replay == nil || known:
		return false, nil
	case passed.n >= maxPassed && !passed.less(f):
		return true, nil
	}
	got, replayed, err := m.replays.checkFile(f)
	if err != nil || !replayed || got == proof.Fails {
		return false, err
	}
	m.ledger.notePassed(f)
	return true, nil
}

// outOfRoom executes the input of a process that was killed once more, in a process that ends itself before the system does
// that, and returns a finding if it needs more memory than there is; else nil. The limit for workers is lowered then.
func (m *memory) outOfRoom(exit *executor.Exit) (*finding.Finding, error) {
	limit := m.pool.roomLimit()
	if limit == 0 || exit.Input == nil || exit.Stage == shm.Idle || m.turn.isStopped() {
		return nil, nil
	}
	again, err := m.apart(m.turn.verifying(), exit.Input, wire.Setup{MemLimit: limit, Resident: true, Without: m.Without})
	if again.Exit == nil {
		return nil, err
	}
	if again.Exit.Cause != shm.Memory {
		return nil, nil
	}
	if m.pool.lowerLimit(limit) {
		m.events.warn(fmt.Sprintf("the system ended a fuzzing process that needed more memory than there is; "+
			"the limit is %d MiB from now on, see -memlimit", limit>>20))
	}
	return again.Failure, nil
}

// prove executes an input that used too much memory in processes of their own, because plain go test has no limit. A run that does not keep going
// has no time for that.
func (m *memory) prove(s *slot, f *finding.Finding, limit uint64) {
	if !m.KeepGoing {
		return
	}
	m.pool.end(s) // its memory may be needed
	m.replays.repeat(f, replaysOfMany, func() (bool, error) { return m.exceeds(m.turn.verifying(), f.Input, limit) })
}

// exceeds executes an input in a new process and reports whether that needs more memory than the limit. A process that something
// outside has killed proves nothing: the system does that when all processes together need more than there is.
func (m *memory) exceeds(ctx context.Context, a input.Args, limit uint64) (bool, error) {
	for range maxKilled {
		ran, err := m.apart(ctx, a, wire.Setup{MemLimit: limit, Without: m.Without})
		if ran.Exit == nil {
			return false, err
		}
		if err == nil {
			return ran.Failure.Kind == finding.Memory, nil
		}
	}
	return false, fmt.Errorf("something outside has killed its process %d times", maxKilled)
}

// apart executes an input in a new process.
func (m *memory) apart(ctx context.Context, a input.Args, setup wire.Setup) (proof.Ran, error) {
	return apart(ctx, m.Start, func(wire.Hello) wire.Setup { return setup }, proof.Execution{Args: a})
}

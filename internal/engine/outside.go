package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// maxKilled: a worker that something outside kills again and again is not worth starting.
const maxKilled = 5

// lostToOutside deals with a worker that something outside has killed. The system does that to a process that needs more memory
// than there is.
func (r *run) lostToOutside(s *slot, exit *executor.Exit, warm *warmEntry) error {
	f, err := r.outOfRoom(exit)
	switch {
	case err != nil && !isContext(err):
		r.emit(Warning{fmt.Sprintf("whether the input of a process that was killed needs too much memory could not be found out: %v", err)})
	case f != nil:
		return r.usedTooMuch(s, f, warm)
	}
	return r.restart(fmt.Errorf("fuzzing process terminated by unexpected signal; no crash will be recorded: %w", exit.Err), warm, s.born)
}

// restart has a worker started again that ended through no fault of the target, unless that has happened too often. warm
// is what it was warming up with, if it was; born is when it was started: workers that live when another one is killed may be
// killed by the same event, which counts once.
func (r *run) restart(err error, warm *warmEntry, born uint64) error {
	r.mu.Lock()
	if born > r.killedAt {
		r.killed, r.killedAt = r.killed+1, r.started
	}
	again := r.Restart && r.killed <= maxKilled
	if warm != nil {
		r.warmup = append(r.warmup, warm) // it is no fault of the input
	}
	r.mu.Unlock()
	if !again {
		return err
	}
	r.emit(Restarted{err.Error()})
	return nil
}

// outOfRoom executes the input of a process that was killed once more, in a process that ends itself before the system does
// that, and returns a finding if it needs more memory than there is; else nil. The limit for workers is lowered then.
func (r *run) outOfRoom(exit *executor.Exit) (*finding.Finding, error) {
	r.mu.Lock()
	limit := r.MemLimit
	if room := roomForOne(r.MemRoom); limit == 0 || room > 0 && room < limit {
		limit = room
	}
	r.mu.Unlock()
	if limit == 0 || exit.Input == nil || exit.Stage == shm.Idle || r.outer.Err() != nil {
		return nil, nil
	}
	again, err := r.apart(r.judging(), exit.Input, wire.Setup{MemLimit: limit, Resident: true, Without: r.Without})
	if err != nil || again == nil || again.Cause != shm.Memory {
		return nil, err
	}
	r.mu.Lock()
	lowered := r.MemLimit != limit
	r.MemLimit = limit
	r.mu.Unlock()
	if lowered {
		r.emit(Warning{fmt.Sprintf("the system ended a fuzzing process that needed more memory than there is; "+
			"the limit is %d MiB from now on, see -memlimit", limit>>20)})
	}
	return triage.Died(again), nil
}

// roomForOne is how much one process may have of the memory that all have together, so that the system need not end it.
func roomForOne(room uint64) uint64 { return room / 4 * 3 }

// apart executes an input in a new process, and returns how that ended; nil: it did not.
func (r *run) apart(ctx context.Context, a input.Args, setup wire.Setup) (*executor.Exit, error) {
	w, _, err := r.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	if err := w.Setup(setup); err != nil {
		return nil, fmt.Errorf("set up a fuzzing process: %w", err)
	}
	_, err = w.Run(ctx, a, wire.Run{})
	var exit *executor.Exit
	if !errors.As(err, &exit) {
		return nil, err
	}
	exit.Input = a // it may be too large to be recorded
	return exit, nil
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// replaysOfMany is how often a finding is replayed in a run that keeps going. One that fails in nine of ten processes
	// is taken for a sure one with p=0.73, one that fails in every other with p=0.13.
	replaysOfMany = 3
	// slowReplay: a replay that takes longer is the last one. Three replays of a hang of ten seconds would take half a minute.
	slowReplay = 5 * time.Second
)

// NotRunError says that plain go test does not run an input, so that a replay proves nothing.
type NotRunError struct{ Why string } // the reason, as the rest of a sentence

// Error returns the reason.
func (e *NotRunError) Error() string { return "plain go test does not run the input: " + e.Why }

// CountReplay counts one replay of a finding.
func CountReplay(f *finding.Finding, failed bool) {
	f.Replays++
	if failed {
		f.Failures++
	}
	f.Flaky = f.Failures < f.Replays
}

// replays runs inputs again, in fresh processes: as plain go test does, or as a worker does where that is not possible.
type replays struct{ *state }

// prove replays a finding. One that does not fail then depends on what was executed before, or on the process that executed it. late
// says that it was replayed when the run was being stopped.
func (r *replays) prove(s *slot, f *finding.Finding) (late bool) {
	if r.Replay == nil && f.Why == "" || f.Replays > 0 {
		return false
	}
	r.pool.end(s) // its memory and its processor may be needed
	ctx, cancel := r.turn.replaying()
	defer cancel()
	late = r.turn.isStopped()
	times := 1
	if r.KeepGoing && !late {
		times = replaysOfMany
	}
	r.repeat(f, times, func() (bool, error) {
		got, err := r.rerun(ctx, f)
		return got == ReplayFailed, err
	})
	return late && f.Replays > 0
}

// repeat runs a finding so often in fresh processes, and reports why it cannot be run, unless the end of the run explains that.
func (r *replays) repeat(f *finding.Finding, times int, fails func() (bool, error)) {
	if err := r.count(f, times, fails); err != nil && !isContext(err) && !r.turn.isStopped() {
		r.events.warn(err.Error())
	}
}

// count runs a finding so often in fresh processes, or once if that takes long, and counts how often it fails.
func (r *replays) count(f *finding.Finding, times int, fails func() (bool, error)) error {
	for range times {
		begin := r.Clock()
		failed, err := fails()
		if err != nil {
			return fmt.Errorf("the failing input could not be run again: %w", err)
		}
		CountReplay(f, failed)
		if r.Clock()-begin > slowReplay {
			return nil
		}
	}
	return nil
}

// rerun runs the input of a finding once more: as plain go test does, by the name of its file or seed. If there is no file, or go test
// does not run it, a fuzzing process of its own runs the input, and the finding says why.
func (r *replays) rerun(ctx context.Context, f *finding.Finding) (Replayed, error) {
	if f.Why == "" && f.NotRun == "" {
		name := filepath.Base(f.Path)
		if f.Seed != "" {
			name = filepath.Base(f.Seed)
		}
		got, err := r.Replay(ctx, name, f.Kind)
		var notRun *NotRunError
		if errors.As(err, &notRun) && r.files.restore(f) { // the file was removed
			got, err = r.Replay(ctx, name, f.Kind)
		}
		if !errors.As(err, &notRun) || f.Replays > 0 { // go test has run it before, so this is about something else
			return got, err
		}
		f.NotRun = notRun.Why
	}
	failed, err := r.failsApart(ctx, f)
	r.files.restore(f)
	if failed {
		return ReplayFailed, err
	}
	return ReplayPassed, err
}

// check replays an input that may be a finding or not, which may be a seed. replayed is false if it could not be run. The error is about
// its file.
func (r *replays) check(f *finding.Finding, warm *warmEntry) (got Replayed, replayed bool, err error) {
	if warm == nil || !warm.isSeed {
		return r.checkFile(f)
	}
	ctx, cancel := r.turn.replaying()
	defer cancel()
	got, err = r.Replay(ctx, filepath.Base(warm.name), f.Kind)
	return got, err == nil, nil
}

// checkFile replays an input that may be a finding or not. Its file is there for no longer than that takes, unless it was there
// before.
func (r *replays) checkFile(f *finding.Finding) (got Replayed, replayed bool, err error) {
	written, err := r.files.during(f.Input, func(name string) {
		ctx, cancel := r.turn.replaying()
		defer cancel()
		var replayErr error
		got, replayErr = r.Replay(ctx, name, f.Kind)
		replayed = replayErr == nil
	})
	return got, written && replayed, err
}

// failsApart executes the input of a finding in a new process and reports whether it fails in the same way. Instrumentation makes some
// code several times as slow, so an execution that hangs gets more time.
func (r *replays) failsApart(ctx context.Context, f *finding.Finding) (bool, error) {
	start := r.Start
	if f.Kind == finding.Hang && r.StartPatient != nil {
		start = r.StartPatient
	}
	w, err := startApart(ctx, start, func(hello wire.Hello) wire.Setup {
		setup := wire.Setup{Without: r.Without}
		if !hello.Race { // the detector uses several times the memory of the target
			setup.MemLimit = r.pool.limit()
		}
		return setup
	})
	if err != nil {
		return false, err
	}
	defer w.Stop()
	ran, err := w.Run(ctx, f.Input, wire.Run{})
	var exit *executor.Exit
	var got *finding.Finding
	switch {
	case errors.As(err, &exit):
		got = triage.Died(exit)
	case err != nil:
		return false, err
	case !ran.Failed:
		return false, nil
	default:
		got = triage.Failed(f.Input, ran.Output, ran.Logged)
	}
	got.Target, got.Input = f.Target, f.Input
	return got.Kind == f.Kind && (got.Kind == finding.Race || triage.Same(f, got)), nil
}

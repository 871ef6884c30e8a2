package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

const (
	// replaysOfMany is how often a finding is replayed in a run that keeps going. One that fails in nine of ten processes
	// is taken for a sure one with p=0.73, one that fails in every other with p=0.13.
	replaysOfMany = 3
	// slowReplay: a replay that takes longer is the last one. Three replays of a hang of ten seconds would take half a minute.
	slowReplay = 5 * time.Second
)

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
		return got == proof.Fails, err
	})
	return late && f.Replays > 0
}

// repeat runs a finding so often in fresh processes, and reports why it cannot be run, unless the end of the run explains that.
func (r *replays) repeat(f *finding.Finding, times int, fails func() (bool, error)) {
	err := r.count(f, times, fails)
	if f.Refused = refusedIn(err); f.Refused != "" {
		return
	}
	if err != nil && !isContext(err) && !r.turn.isStopped() {
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
		proof.Count(f, failed)
		if r.Clock()-begin > slowReplay {
			return nil
		}
	}
	return nil
}

// rerun runs the input of a finding once more: as plain go test does, by the name of its file or seed. If there is no file, or go test
// does not run it, a fuzzing process of its own runs the input, and the finding says why.
func (r *replays) rerun(ctx context.Context, f *finding.Finding) (proof.Verdict, error) {
	if f.Replays > 0 && f.Why == "" && f.NotRun == "" { // go test has run it before, so if it does not now, that is about something else
		return r.replay(ctx, proof.Of(f), f)
	}
	return proof.Again(ctx, proof.Of(f), f, r.replay, func(ctx context.Context, f *finding.Finding) (bool, error) {
		defer r.files.restore(f)
		return r.failsApart(ctx, f)
	})
}

// replay runs the input of a finding as plain go test does. The error is a *proof.NotRunError if go test does not run it.
func (r *replays) replay(ctx context.Context, x proof.Execution, f *finding.Finding) (proof.Verdict, error) {
	got, err := r.Replay(ctx, x, f)
	var notRun *proof.NotRunError
	if errors.As(err, &notRun) && r.files.restore(f) { // the file was removed
		return r.Replay(ctx, x, f)
	}
	return got, err
}

// check replays an input that may be a finding or not, which may be a seed. replayed is false if it could not be run. The error is about
// its file.
func (r *replays) check(f *finding.Finding, warm *warmEntry) (got proof.Verdict, replayed bool, err error) {
	if warm == nil || !warm.isSeed {
		return r.checkFile(f)
	}
	ctx, cancel := r.turn.replaying()
	defer cancel()
	got, err = r.Replay(ctx, proof.Execution{Args: f.Input, Name: filepath.Base(warm.name)}, f)
	return got, err == nil, nil
}

// checkFile replays an input that may be a finding or not. Its file is there for no longer than that takes, unless it was there
// before.
func (r *replays) checkFile(f *finding.Finding) (got proof.Verdict, replayed bool, err error) {
	written, err := r.files.during(f.Input, func(name string) {
		ctx, cancel := r.turn.replaying()
		defer cancel()
		var replayErr error
		got, replayErr = r.Replay(ctx, proof.Execution{Args: f.Input, Name: name}, f)
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
	ran, err := apart(ctx, start, func(hello wire.Hello) wire.Setup {
		setup := wire.Setup{Without: r.Without}
		if !hello.Race { // the detector uses several times the memory of the target
			setup.MemLimit = r.pool.limit()
		}
		return setup
	}, proof.Of(f))
	if err != nil && ran.Exit == nil {
		return false, err
	}
	// A signal from outside is a failure of another kind, or what the finding is about.
	if f.Kind == finding.Race {
		return proof.Shows(f, ran.Failure, proof.SameKind)
	}
	return proof.Shows(f, ran.Failure, proof.Same)
}

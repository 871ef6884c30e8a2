package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// NotRunError says that plain go test does not run an input, so that a replay proves nothing.
type NotRunError struct{ Why string } // the reason, as the rest of a sentence

// Error returns the reason.
func (e *NotRunError) Error() string { return "plain go test does not run the input: " + e.Why }

// Prove runs a finding again for which the run had no time, and counts it. It returns [ReplaySlow] for a hang that is none. It reports
// no event, so that who listens to events may call it.
func (t *Target) Prove(ctx context.Context, f *finding.Finding) (got Replayed, err error) {
	err = repeat(f, 1, func() (failed bool, err error) {
		got, err = t.r.rerun(ctx, f)
		return got == ReplayFailed, err
	})
	return got, err
}

// rerun runs the input of a finding once more: as plain go test does, by the name of its file or seed. If there is no file, or go test
// does not run it, a fuzzing process of its own runs the input, and the finding says why.
func (r *run) rerun(ctx context.Context, f *finding.Finding) (Replayed, error) {
	if f.Why == "" && f.NotRun == "" {
		name := filepath.Base(f.Path)
		if f.Seed != "" {
			name = filepath.Base(f.Seed)
		}
		got, err := r.Replay(ctx, name, f.Kind)
		var notRun *NotRunError
		if errors.As(err, &notRun) && r.restore(f) { // somebody has removed the file
			got, err = r.Replay(ctx, name, f.Kind)
		}
		if !errors.As(err, &notRun) || f.Replays > 0 { // go test has run it before, so this is about something else
			return got, err
		}
		f.NotRun = notRun.Why
	}
	failed, err := r.failsApart(ctx, f)
	r.restore(f)
	if failed {
		return ReplayFailed, err
	}
	return ReplayPassed, err
}

// restore writes the file of a finding again if it is gone, and reports whether it was: a target may remove its corpus each time it
// starts.
func (r *run) restore(f *finding.Finding) bool {
	if f.Path == "" || f.Seed != "" || f.Why != "" {
		return false
	}
	if _, err := os.Stat(filepath.Join(r.WriteDir, filepath.Base(f.Path))); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, _, err := corpus.Save(r.WriteDir, f.Input) // keep tells why it cannot be written
	return err == nil
}

// failsApart executes the input of a finding in a new process and reports whether it fails in the same way. Instrumentation makes some
// code several times as slow, so an execution that hangs gets more time.
func (r *run) failsApart(ctx context.Context, f *finding.Finding) (bool, error) {
	start := r.Start
	if f.Kind == finding.Hang && r.StartPatient != nil {
		start = r.StartPatient
	}
	w, hello, err := start(ctx)
	if err != nil {
		return false, err
	}
	defer w.Stop()
	setup := wire.Setup{Without: r.Without}
	if !hello.Race { // the detector uses several times the memory of the target
		r.mu.Lock()
		setup.MemLimit = r.MemLimit
		r.mu.Unlock()
	}
	if err := w.Setup(setup); err != nil {
		return false, fmt.Errorf("set up a fuzzing process: %w", err)
	}
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

// repeat runs a finding so often in fresh processes, or once if that takes long, and counts how often it fails.
func repeat(f *finding.Finding, times int, fails func() (bool, error)) error {
	for range times {
		begin := time.Now()
		failed, err := fails()
		if err != nil {
			return fmt.Errorf("the failing input could not be run again: %w", err)
		}
		CountReplay(f, failed)
		if time.Since(begin) > slowReplay {
			return nil
		}
	}
	return nil
}

// repeat is [repeat], and tells why a finding cannot be run again, unless the end of the run explains that.
func (r *run) repeat(f *finding.Finding, times int, fails func() (bool, error)) {
	if err := repeat(f, times, fails); err != nil && !isContext(err) && r.outer.Err() == nil {
		r.emit(Warning{err.Error()})
	}
}

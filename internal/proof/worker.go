package proof

import (
	"context"
	"errors"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Worker is a fuzzing process of a target; an *executor.Worker outside of tests.
type Worker interface {
	Run(ctx context.Context, a input.Args, m wire.Run) (wire.Ran, error)
	Refused() (action string, newest bool)
}

// Ran is what one execution in a fuzzing process shows.
type Ran struct {
	wire.Ran
	Failure *finding.Finding // how the input failed, or how its process ended; nil: it passed
	Refused string           // what the input was not allowed to do outside of the process; empty: nothing was refused
	Exit    *executor.Exit   // how the process ended; nil: it lives
}

// Execute executes an input in a fuzzing process as m says. The error is about gnaw, the machine or ctx. It is an *executor.Exit if something
// outside has ended the process. That says nothing about the input, except about a finding that is such an end; the result is complete for it.
func Execute(ctx context.Context, w Worker, x Execution, m wire.Run) (r Ran, err error) {
	r.Ran, err = w.Run(ctx, x.Args, m)
	if errors.As(err, &r.Exit) {
		r.Failure, r.Refused = Died(r.Exit), r.Exit.Refused
		r.Failure.Input, r.Failure.Original = x.Args, x.Args // a record may be incomplete
		if !r.Exit.FromOutside() {
			err = nil
		}
		return r, err
	}
	if err != nil {
		return r, err
	}
	r.Refused = RefusedBy(w)
	if r.Failed {
		r.Failure = Failed(x.Args, r.Output, r.Logged)
		r.Failure.Refused = r.Refused
	}
	return r, nil
}

// RefusedBy returns what the input that a process has executed last was not allowed to do; empty: nothing was refused, or there is no process.
func RefusedBy(w Worker) string {
	if w == nil {
		return ""
	}
	if action, isNewest := w.Refused(); isNewest {
		return action
	}
	return ""
}

// Again runs the input of a finding once more in a fresh process: in plain go test by goTest, or in a fuzzing process by apart if there is no
// file for go test or go test does not run the input. The finding says why go test does not. apart reports whether the input fails as the
// finding says.
func Again(
	ctx context.Context, x Execution, f *finding.Finding, goTest func(context.Context, Execution, *finding.Finding) (Verdict, error),
	apart func(context.Context, *finding.Finding) (bool, error),
) (Verdict, error) {
	if f.Why == "" && f.NotRun == "" {
		v, err := goTest(ctx, x, f)
		var notRun *NotRunError
		if !errors.As(err, &notRun) {
			return v, err
		}
		f.NotRun = notRun.Why
	}
	fails, err := apart(ctx, f)
	if fails {
		return Fails, err
	}
	return Passes, err
}

// Shows reports whether what a fuzzing process has executed fails as a finding says. got is how it failed; nil: it passed. alike decides which
// failures are the same; see [Same] and [SameKind]. The error is a *RefusedError if something was refused before.
func Shows(f, got *finding.Finding, alike func(want, got *finding.Finding) bool) (bool, error) {
	if got != nil && got.Refused != "" {
		return false, &RefusedError{got.Refused}
	}
	return got != nil && alike(f, got), nil
}

package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
)

// proofAfterStop is how long the proof of a failure may take when the run is being stopped: somebody waits for the end.
const proofAfterStop = 5 * time.Second

// stopped reports whether the run is being stopped from outside, by ^C or the like.
func (r *run) stopped() bool { return r.outer.Err() != nil }

// proving returns the context of a replay. The end of the time does not cut it short, since what fails in the last moment may
// be flaky too.
func (r *run) proving() (context.Context, context.CancelFunc) {
	if r.stopped() {
		return context.WithTimeout(context.WithoutCancel(r.outer), proofAfterStop)
	}
	return context.WithCancel(r.outer)
}

// counts reports whether a failure is one. If it first shows when the run is being stopped, it may come of what stops it: a
// signal to all processes reaches the target too, and the commands that it runs. Then it counts if plain go test fails, or a process of
// its own where go test does not run the input.
func (r *run) counts(f *finding.Finding, warm *warmEntry) (bool, error) {
	if !r.stopped() || r.Replay == nil || f.Replays > 0 {
		return true, nil
	}
	got, replayed, err := r.tryOut(f, warm)
	switch {
	case err != nil:
		return false, err
	case replayed:
		if got != ReplayFailed {
			return false, nil
		}
		CountReplay(f, true)
		return true, nil
	}
	// There is no file, or plain go test does not run it.
	ctx, cancel := r.proving()
	defer cancel()
	failed, err := r.failsApart(ctx, f)
	if err != nil && !isContext(err) {
		r.emit(Warning{fmt.Sprintf("a failure that showed when the run was stopped could not be run again, so it is not reported: %v", err)})
	}
	return failed, nil // settle proves it, and says why go test does not run it
}

// retract takes a finding back that showed just before the run was stopped, and does not fail in plain go test.
func (r *run) retract(f *finding.Finding) error {
	r.mu.Lock()
	r.findings = slices.DeleteFunc(r.findings, func(other *finding.Finding) bool { return other == f })
	h := r.held[f]
	delete(r.held, f)
	r.mu.Unlock()
	switch {
	case h == nil && f.Own && f.Kept != "":
		return corpus.Remove(f.Kept)
	case h == nil:
		return nil
	case f.Own:
		return r.withdraw(h.Discard)
	}
	return r.withdraw(h.Release)
}

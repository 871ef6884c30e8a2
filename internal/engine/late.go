package engine

import (
	"context"
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
// signal to all processes reaches the target too, and the commands that it runs. Then it counts if plain go test fails.
func (r *run) counts(f *finding.Finding, warm *warmEntry) (bool, error) {
	if !r.stopped() || r.Replay == nil || f.Replays > 0 {
		return true, nil
	}
	got, replayed, err := r.tryOut(f, warm)
	if err != nil || !replayed || got != ReplayFailed {
		return false, err
	}
	CountReplay(f, true)
	return true, nil
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

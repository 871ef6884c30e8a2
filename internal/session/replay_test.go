package session

import (
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/replay"
)

func TestAReplayFailsByWhatWasFound(t *testing.T) {
	const limit = 10 * time.Second
	for _, tt := range []struct {
		name string
		r    replay.Result
		kind finding.Kind
		want engine.Replayed
	}{
		{"a failure", replay.Result{Outcome: replay.Failed}, finding.Failure, engine.ReplayFailed},
		{"none", replay.Result{Outcome: replay.Passed, Took: limit}, finding.Failure, engine.ReplayPassed},
		{"no time left instead of a failure", replay.Result{Outcome: replay.Unfinished}, finding.Failure, engine.ReplayPassed},
		{"a hang", replay.Result{Outcome: replay.Unfinished, Took: limit}, finding.Hang, engine.ReplayFailed},
		{"a process that ends instead of a hang", replay.Result{Outcome: replay.Failed}, finding.Hang, engine.ReplayFailed},
		{"no hang, but slow", replay.Result{Outcome: replay.Passed, Took: limit / 2}, finding.Hang, engine.ReplaySlow},
		{"no hang, and quick", replay.Result{Outcome: replay.Passed, Took: time.Millisecond}, finding.Hang, engine.ReplayPassed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge(tt.r, tt.kind, limit); got != tt.want {
				t.Errorf("judge = %v, want %v", got, tt.want)
			}
		})
	}
}

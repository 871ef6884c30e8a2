package cli

import (
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

func TestOnlyAProcessWithoutAProcessorIsStarved(t *testing.T) {
	const limit = 10 * time.Second
	for _, tt := range []struct {
		name string
		r    rerun
		want bool
	}{
		{"an endless loop", rerun{true, limit, limit}, false},
		{"a deadlock", rerun{true, limit, 20 * time.Millisecond}, false},
		{"a third of a processor", rerun{true, limit, limit / 3}, true},
		{"a failure", rerun{true, time.Second, time.Second / 3}, false},
		{"no failure", rerun{false, limit, limit / 3}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.r.starved(limit); got != tt.want {
				t.Errorf("starved = %v, want %v", got, tt.want)
			}
		})
	}
	if (rerun{true, limit, limit / 3}).starved(0) {
		t.Error("without a limit no time can be up")
	}
}

func TestAReplayFailsByWhatWasFound(t *testing.T) {
	const limit = 10 * time.Second
	for _, tt := range []struct {
		name     string
		r        rerun
		kind     finding.Kind
		patience time.Duration
		want     engine.Replayed
	}{
		{"a failure", rerun{true, time.Second, 0}, finding.Failure, limit, engine.ReplayFailed},
		{"a failure, without a limit", rerun{true, time.Second, 0}, finding.Failure, 0, engine.ReplayFailed},
		{"none", rerun{false, time.Second, 0}, finding.Failure, limit, engine.ReplayPassed},
		{"no time left instead of a failure", rerun{true, limit, limit}, finding.Failure, limit, engine.ReplayPassed},
		{"a failure with more patience", rerun{true, 2 * limit, 0}, finding.Failure, 4 * limit, engine.ReplayFailed},
		{"a hang", rerun{true, limit, limit}, finding.Hang, limit, engine.ReplayFailed},
		{"a hang that had its time in the end", rerun{false, 3 * limit, limit}, finding.Hang, 4 * limit, engine.ReplayFailed},
		{"none that is slow", rerun{false, limit / 2, limit / 2}, finding.Hang, limit, engine.ReplaySlow},
		{"none that is quick", rerun{false, time.Millisecond, 0}, finding.Hang, limit, engine.ReplayPassed},
	} {
		if got := tt.r.judge(tt.kind, limit, tt.patience); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

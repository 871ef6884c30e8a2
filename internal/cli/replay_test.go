package cli

import (
	"testing"
	"time"
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

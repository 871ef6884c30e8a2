package campaign

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// A visit that began before the end of the campaign may take longer than what is left of it.
func TestASweepEndsAGraceAfterTheCampaign(t *testing.T) {
	const grace = time.Minute
	const said = "fuzzing is over; gnaw still waits, for up to 1m0s"
	for _, tt := range []struct {
		name  string
		takes time.Duration // a visit
		want  time.Duration // how long the sweep goes on after the campaign
		said  []string
	}{
		{"with a visit that is under way at the end", time.Hour, grace, []string{said}},
		{"with visits that end", 50 * time.Second, grace, []string{said}},
		{"with a visit that ends soon", sweepSilent / 4, sweepSilent - sweepIdle/2, nil},
		{"with nothing to do", 0, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &Campaign{targets: []*target{{}, {}}}
				c.Events = &event.Bus{}
				var texts []string
				c.Events.Subscribe(func(e event.Stamped) { texts = append(texts, e.Event.(event.Notice).Text) })
				end := beginSweep(func(over <-chan struct{}) {
					c.sweep(t.Context(), over, "waits", grace, func(ctx context.Context, _ *target, _ bool) bool {
						waitFor(tt.takes, ctx.Done(), ctx.Done())
						return tt.takes > sweepSilent
					}, waitFor)
				})
				time.Sleep(sweepIdle / 2) // of fuzzing
				begin := time.Now()
				end()
				if took := time.Since(begin); took != tt.want {
					t.Errorf("the sweep goes on for %v after the campaign, want %v", took, tt.want)
				}
				if c.Events.Close(); !slices.Equal(texts, tt.said) {
					t.Errorf("it says %q, want %q", texts, tt.said)
				}
			})
		})
	}
}

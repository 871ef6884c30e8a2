package campaign

import (
	"errors"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestWhyATargetIsNotReached(t *testing.T) {
	run := event.Run{Execs: 7}
	for _, tt := range []struct {
		name    string
		hadTurn bool
		s       engine.Snapshot
		want    string
	}{
		{"no turn", false, engine.Snapshot{}, "the campaign ended before its first turn"},
		{"no F.Fuzz", true, engine.Snapshot{}, "its process did not reach F.Fuzz before the campaign ended"},
		{"no execution", true, engine.Snapshot{Prepared: true}, "no input was executed before the campaign ended"},
		{"one seed left", true, engine.Snapshot{Prepared: true, Run: run, SeedsLeft: 1}, "1 seed was not executed"},
		{"seeds left", true, engine.Snapshot{Prepared: true, Run: run, SeedsLeft: 3}, "3 seeds were not executed"},
		{"all seeds executed", true, engine.Snapshot{Prepared: true, Run: run}, ""},
	} {
		if got := notReached(tt.hadTurn, tt.s); got != tt.want {
			t.Errorf("%s: the reason is %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTheResultOfATarget(t *testing.T) {
	broken := errors.New("it does not build")
	for _, tt := range []struct {
		name     string
		findings []event.Result
		err      error // for which it was set aside
		seeded   bool  // before the campaign was killed
		want     event.Result
	}{
		{"no turn", nil, nil, false, event.Unreached},
		{"no turn, but its seeds were executed before a kill", nil, nil, true, event.Clean},
		{"set aside", nil, broken, false, event.Unusable},
		{"a skipped target", nil, errSkipped, false, event.Skip},
		{"a bug and an error", []event.Result{event.Flaky, event.Bug, event.KnownOnly}, broken, false, event.Bug},
		{"flaky and known findings", []event.Result{event.KnownOnly, event.Flaky}, nil, false, event.Flaky},
		{"known findings", []event.Result{event.KnownOnly}, nil, false, event.KnownOnly},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			for i, what := range tt.findings {
				l.target.findings[string(rune('a'+i))] = what
			}
			l.target.past.Seeded, l.target.past.Seeds = tt.seeded, digestOfSeeds(l.target.seeds())
			if errors.Is(tt.err, errSkipped) {
				l.target.result = event.Skip // as Fuzz does
			}
			if tt.err != nil {
				l.target.setAside(tt.err)
			}
			l.target.conclude(t.Context())
			l.Events.Publish(l.target.turnEnd(bandit.Past{Turns: 2, Quiet: true}, nil))
			end := l.target.end()
			if end.Result != tt.want || end.Turns != 2 || !end.Quiet || end.Subject.Func != "FuzzX" {
				t.Errorf("the end is %+v, want %v", end, tt.want)
			}
			l.Events.Publish(end)
			if state := l.Snapshot().Targets[0]; state.Result != end.Result || state.Reason != end.Reason {
				t.Errorf("the state is %+v, and the end %+v", state, end)
			}
		})
	}
}

// The expected time to the next edge says nothing about a target that is not fuzzed.
func TestTheNextEdgeOfATarget(t *testing.T) {
	for _, tt := range []struct {
		result event.Result
		want   bool
	}{
		{event.Clean, true},
		{event.Bug, true},
		{event.Flaky, true},
		{event.KnownOnly, true},
		{event.Fails, true},
		{event.Unusable, false},
		{event.Skip, false},
		{event.Unreached, false},
	} {
		l := newLab(t)
		l.target.result = tt.result
		l.Events.Publish(l.target.turnEnd(bandit.Past{Turns: 1, Samples: []bandit.Sample{{Worker: time.Second, Edges: 3}}}, nil))
		if got := l.target.end().Next; (got > 0) != tt.want {
			t.Errorf("of a target that is %v it is expected in %v s, want some: %v", tt.result, got, tt.want)
		}
	}
}

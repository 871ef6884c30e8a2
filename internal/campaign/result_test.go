package campaign

import (
	"errors"
	"testing"

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
			l.target.past.Seeded = tt.seeded
			if errors.Is(tt.err, errSkipped) {
				l.target.result = event.Skip // as Fuzz does
			}
			if tt.err != nil {
				l.target.setAside(tt.err)
			}
			l.target.conclude(t.Context())
			end := l.target.end(bandit.Share{Turns: 2, Quiet: true})
			if end.Result != tt.want || end.Turns != 2 || !end.Quiet || end.Target.Target != "FuzzX" {
				t.Errorf("the end is %+v, want %v", end, tt.want)
			}
			if state := l.target.state(); state.Result != end.Result || state.Reason != end.Reason || state.Bugs != end.Bugs {
				t.Errorf("the state is %+v, and the end %+v", state, end)
			}
		})
	}
}

func TestWhatAWorkerDoes(t *testing.T) {
	for _, tt := range []struct {
		run  event.Run
		want string
	}{
		{event.Run{}, event.Fuzzing},
		{event.Run{WarmingUp: true}, event.WarmingUp},
		{event.Run{WarmingUp: true, Minimizing: true}, event.Minimizing},
	} {
		if got := doing(engine.Snapshot{Run: tt.run}); got != tt.want {
			t.Errorf("with %+v it is %q, want %q", tt.run, got, tt.want)
		}
	}
}

// The expected time to the next edge says nothing about a target that is not fuzzed.
func TestTheNextEdgeOfATarget(t *testing.T) {
	for _, tt := range []struct {
		result event.Result
		want   float64
	}{
		{event.Clean, 2}, {event.Bug, 2}, {event.Flaky, 2}, {event.KnownOnly, 2}, {event.Unusable, 0}, {event.Skip, 0}, {event.Unreached, 0},
	} {
		l := newLab(t)
		l.target.result = tt.result
		if got := l.target.end(bandit.Share{Expect: 2e9}).Next; got != tt.want {
			t.Errorf("of a target that is %v it is expected in %v s, want %v", tt.result, got, tt.want)
		}
	}
}

package board

import (
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// past returns the only target of a campaign of the history.
func past(t *testing.T, h History) (*State, *TargetState) {
	t.Helper()
	s := Past(h)
	if len(s.Targets) != 1 {
		t.Fatalf("there are %d targets, want 1", len(s.Targets))
	}
	return s, s.Targets[0]
}

func TestThePhaseOfATargetOfTheHistory(t *testing.T) {
	name := one.Target()
	ran, never := []store.Point{{Target: one.Target(), Execs: 1}}, []store.Point{{Target: one.Target()}}
	result := func(r event.Result) []store.Result { return []store.Result{{Target: name, Result: string(r)}} }
	for _, tt := range []struct {
		name   string
		h      History
		want   Phase
		result event.Result
	}{
		{"it was fuzzed", History{Points: ran, Results: result(event.Clean)}, Ended, event.Clean},
		{"an older gnaw has fuzzed it", History{Points: ran}, Ended, event.Clean},
		{"an older gnaw has not executed it", History{Points: never}, Ended, event.Clean},
		{"its go test fails", History{Points: ran, Results: result(event.Fails)}, Fails, event.Fails},
		{"it could not be fuzzed", History{Results: result(event.Unusable)}, Aside, event.Unusable},
		{"it calls f.Skip", History{Results: result(event.Skip)}, Skipped, event.Skip},
		{"not all its seeds were executed", History{Points: ran, Results: result(event.Unreached)}, Unreached, event.Unreached},
		{"the campaign runs and has not executed it", History{Results: result(""), Running: true}, Waiting, event.Clean},
		{"the campaign runs and has executed it", History{Points: ran, Results: result(""), Running: true}, Paused, event.Clean},
		{"the campaign was killed before", History{Results: result("")}, Unreached, event.Unreached},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, one := past(t, tt.h)
			if s.Phase(one) != tt.want || one.Result() != tt.result {
				t.Errorf("the phase is %q and the result %q, want %q and %q", s.Phase(one), one.Result(), tt.want, tt.result)
			}
		})
	}
}

func TestTheNumbersOfThePast(t *testing.T) {
	at := func(seconds int) time.Time { return begin.Add(time.Duration(seconds) * time.Second) }
	point := func(seconds, edges int, execs uint64) store.Point {
		return store.Point{Target: one.Target(), At: at(seconds), Edges: edges, Execs: execs, Entries: 3, Covered: 2, Statements: 8}
	}
	c := store.Summary{Past: store.Past{Campaign: store.Campaign{Module: "example.com/m", Start: begin}, Ended: at(60), Spent: 50 * time.Second}}
	c.Statements, c.Covered = 9, 3
	s, a := past(t, History{
		Campaign: c, Points: []store.Point{point(10, 4, 100), point(20, 7, 200), point(30, 7, 600)},
		Results:  []store.Result{{Target: one.Target(), Result: "bug", Rerun: 8, Repeated: 6}, {Target: fuzz.Name{Package: "broken"}, Result: "unusable"}},
		Progress: []store.Progress{{Target: one.Target(), State: `{"turns":2,"time":3000000000,"worker":6000000000,"samples":[{"w":1000000000,"e":5}],"findings":{"aa":"bug","lost":"bug"}}`}},
		Findings: []event.Finding{found("aa", one, false), found("bb", one, true), found("cc", other, false)},
	})
	n := s.Snapshot()
	x := n.Targets[0]
	if x.Execs != 600 || x.Edges != 7 || x.Entries != 3 || x.Rate != 200 || x.Turns != 2 || x.Seconds != 3 || x.Share != 1 || x.Next <= 0 || x.Rerun != 8 || x.Covered != 2 || !x.Done {
		t.Errorf("the target is %+v", x)
	}
	if a.Counts != (Counts{Bugs: 2, Flaky: 1}) || s.Totals().Counts != (Counts{Bugs: 3, Flaky: 1}) {
		t.Errorf("the target has %+v findings and the campaign %+v", a.Counts, s.Totals().Counts)
	}
	if a.EdgeAt != at(20) || x.SinceEdge != 40 {
		t.Errorf("the last edge was at %v, %v s before the end", a.EdgeAt, x.SinceEdge)
	}
	if n.Totals.Execs != 600 || n.Totals.Seconds != 50 || n.Totals.Rate != 12 || n.Totals.Statements != 9 || n.Totals.Begun != 1 || n.Module != "example.com/m" {
		t.Errorf("the totals are %+v", n.Totals)
	}
}

// A campaign of one point does not say when its edges came.
func TestTheLastEdgeOfOnePointIsNotKnown(t *testing.T) {
	_, a := past(t, History{Points: []store.Point{{Target: one.Target(), At: begin, Edges: 4, Execs: 1}}})
	if !a.EdgeAt.IsZero() {
		t.Errorf("the last edge was at %v", a.EdgeAt)
	}
}

func TestTheGainsOfThePast(t *testing.T) {
	at := func(seconds, edges int) store.Point {
		return store.Point{Target: one.Target(), At: begin.Add(time.Duration(seconds) * time.Second), Edges: edges}
	}
	got := Gains([]store.Point{at(0, 5), at(25, 9), at(39, 10)}, begin, begin.Add(39*time.Second), 4)
	if line := got[one.Target()]; !slices.Equal(line, []int{5, 0, 4, 1}) {
		t.Errorf("the gains are %v, want 5, 0, 4 and 1", line)
	}
}

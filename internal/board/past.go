package board

import (
	"encoding/json"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// History is what the history has of a campaign.
type History struct {
	Campaign store.Summary
	Running  bool             // its process lives
	Points   []store.Point    // of the coverage, by target and time; the last ones at least
	Results  []store.Result   // of the targets that it chose; none: an older gnaw has recorded the campaign
	Progress []store.Progress // of targets that had a turn
	Findings []event.Finding  // that it has seen
}

// progress is the part of the progress of a target that the state needs.
type progress struct {
	bandit.Past
	Findings map[string]event.Result `json:"findings"`
}

// Past returns the state of a campaign of the history. The targets that have points come first, then those that were not executed. The history does
// not know which targets have a turn, nor the folders of packages. The last new edge of a target is the first of its points with the last number
// of edges, if it has several points.
func Past(h History) *State {
	s := NewState()
	c := h.Campaign
	s.Start = event.Start{Module: c.Module}
	s.Started, s.Last, s.Reached = true, !h.Running, event.Reached{Covered: c.Covered, Statements: c.Statements}
	s.clock.spent = c.Spent.Seconds()
	for _, at := range []time.Time{c.Start, c.Seen, c.Ended} {
		s.Advance(at)
	}
	for _, p := range h.Points {
		s.point(p)
	}
	for _, t := range s.Targets {
		t.ended = !h.Running
		if !t.Begun && len(h.Results) > 0 {
			t.unreached(h.Running)
		}
	}
	for _, r := range h.Results {
		if r.Target.Func != "" { // otherwise it is about a package
			s.recorded(r, h.Running)
		}
	}
	shown := map[fuzz.Name]map[string]event.Result{}
	for _, one := range h.Progress {
		var p progress
		name := one.Target
		t := s.Find(name)
		if t == nil || json.Unmarshal([]byte(one.State), &p) != nil { // another version may have written it
			continue
		}
		e := p.Estimate()
		t.Turns, t.Seconds, t.Spent, t.quiet = p.Turns, p.Time.Seconds(), p.Worker.Seconds(), p.Quiet
		t.next = [3]float64{e.Mean.Seconds(), e.Low.Seconds(), e.High.Seconds()}
		s.spent += t.Spent
		shown[name] = p.Findings
	}
	s.seen(h.Findings, shown)
	return s
}

// point updates a target with a point of its coverage.
func (s *State) point(p store.Point) {
	t := s.add(event.SubjectOf(p.Target))
	switch {
	case t.seenAt.IsZero():
	case p.Edges != t.Run.Edges:
		t.EdgeAt = p.At
	case t.EdgeAt.IsZero():
		t.EdgeAt = t.seenAt
	}
	t.seenAt, t.Begun = p.At, p.Execs > 0
	t.Run.Instrumented, t.Run.Execs, t.Run.Edges, t.Run.Buckets, t.Run.Entries = true, p.Execs, p.Edges, p.Buckets, p.Entries
	t.Reached = event.Reached{Covered: p.Covered, Statements: p.Statements}
	s.Advance(p.At)
}

// recorded updates a target with its result in the history.
func (s *State) recorded(r store.Result, running bool) {
	t := s.add(event.SubjectOf(r.Target))
	t.Run.Instrumented, t.Run.Rerun, t.Run.Repeated = true, r.Rerun, r.Repeated
	t.reason, t.ended = r.Reason, !running
	switch result := event.Result(r.Result); {
	case result != "":
		t.result = result
	case !t.Begun:
		t.unreached(running)
	}
}

// unreached sets the result of a target without executions, unless it may still have some.
func (t *TargetState) unreached(running bool) {
	if !running {
		t.result = event.Unreached
	}
}

// seen counts the findings of a campaign: for the target of their record, and for those that say that they show them. shown has the results that
// findings make for targets, by ID; some of these findings may no longer be in the history.
func (s *State) seen(list []event.Finding, shown map[fuzz.Name]map[string]event.Result) {
	of := map[string]Outcome{}
	for _, f := range list {
		what := OutcomeOf(f)
		of[f.ID] = what
		*s.counts.of(what)++
		s.Kinds[what][f.Kind.String()]++
		name := fuzz.Name{Package: f.Package, Func: f.Record.Target}
		if t := s.Find(name); t != nil {
			if _, ok := shown[name][f.ID]; !ok {
				*t.Counts.of(what)++
			}
		}
	}
	s.Findings = list
	lost := map[string]bool{}
	for name, findings := range shown {
		t := s.Find(name)
		for id, result := range findings {
			what, ok := of[id]
			if !ok {
				if what, ok = outcomes[result]; !ok {
					continue
				}
				if !lost[id] {
					lost[id] = true
					*s.counts.of(what)++
				}
			}
			*t.Counts.of(what)++
		}
	}
}

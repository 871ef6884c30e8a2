package web

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// past is what the history has of a target of a campaign.
type past struct {
	point    store.Point // the last one
	result   store.Result
	progress progress
}

// progress is the part of the progress of a target in the history that the dashboard shows.
type progress struct {
	bandit.Past
	Findings map[string]event.Result `json:"findings"`
}

// pastTargets returns the targets of a campaign of the history, whose state is one word: those that have a point, and then those that were not
// executed.
func (s *data) pastTargets(ctx context.Context, c store.Summary, state string) ([]targetRow, error) {
	h, err := s.history()
	if err != nil {
		return nil, err
	}
	points, err := h.Latest(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	list, err := h.Progress(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	results, err := h.Results(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	known, all := map[store.Name]*past{}, time.Duration(0)
	order := make([]store.Name, 0, len(results))
	of := func(name store.Name) *past {
		if known[name] == nil {
			known[name] = &past{}
			order = append(order, name)
		}
		return known[name]
	}
	for _, p := range points {
		of(store.Name{Package: p.Package, Target: p.Target}).point = p
	}
	for _, r := range results {
		if r.Target != "" { // otherwise it is about a package
			of(r.Name).result = r
		}
	}
	for _, one := range list {
		var p progress
		target := known[store.Name{Package: one.Package, Target: one.Target}]
		if target != nil && json.Unmarshal([]byte(one.State), &p) == nil { // another version may have written it
			target.progress = p
			all += p.Worker
		}
	}
	rows := make([]targetRow, 0, len(order))
	for _, name := range order {
		rows = append(rows, known[name].row(name, state, all))
	}
	return rows, nil
}

// row returns the row of a target. state is that of its campaign, and all is the time that workers spent on all targets.
func (t *past) row(name store.Name, state string, all time.Duration) targetRow {
	p, r, g := t.point, t.result, t.progress
	row := targetRow{
		TargetState: event.TargetState{
			Target: event.Target{Package: name.Package, Target: name.Target},
			Run: event.Run{
				Execs: p.Execs, Edges: p.Edges, Buckets: p.Buckets, Entries: p.Entries, Instrumented: true, Rerun: r.Rerun, Repeated: r.Repeated,
			},
			Reached: event.Reached{Covered: p.Covered, Statements: p.Statements},
			Result:  event.Clean, Reason: r.Reason, Begun: p.Execs > 0, Done: true,
			Turns: g.Turns, Seconds: g.Time.Seconds(), Quiet: g.Quiet,
		},
		Key: keyOf(name.Package, name.Target),
	}
	row.Rate = meanRate(row.TargetState)
	if all > 0 {
		row.Share = float64(g.Worker) / float64(all)
	}
	e := g.Estimate()
	row.Next, row.NextLow, row.NextHigh = e.Mean.Seconds(), e.Low.Seconds(), e.High.Seconds()
	for _, what := range g.Findings {
		switch what {
		case event.Bug:
			row.Bugs++
			row.Result = event.Bug
		case event.Flaky:
			row.Flaky++
		case event.KnownOnly:
			row.Known++
		}
	}
	if r.Result != "" {
		row.Result = event.Result(r.Result)
	}
	row.Findings = row.Bugs + row.Flaky + row.Known
	if row.State = t.state(row.Result, state); row.State == "unreached" {
		row.Result = event.Unreached
	}
	return row
}

// state returns the state of a target in the words of the terminal interface. The history does not know which targets have their turn.
func (t *past) state(result event.Result, campaign string) string {
	switch {
	case result == event.Skip:
		return "skipped"
	case result == event.Unusable:
		return "set aside"
	case result == event.Unreached:
		return "unreached"
	case campaign == running && t.point.Execs > 0:
		return "fuzzing"
	case t.point.Execs > 0 || t.result.Name == (store.Name{}): // older campaigns have no results
		return "ended"
	case campaign == running:
		return "waiting"
	}
	return "unreached"
}

// countFindings counts the findings of targets for which the progress in the history does not have them.
func countFindings(rows []targetRow, findings []findingRow) {
	n := map[store.Name]int{}
	for _, f := range findings {
		n[store.Name{Package: f.Package, Target: f.Target}]++
	}
	for i := range rows {
		r := &rows[i]
		r.Findings = max(r.Findings, n[store.Name{Package: r.Package, Target: r.Target.Target}])
	}
}

package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// maxPoints limits the points of the coverage over time in an answer.
const maxPoints = 1000

// point is what a target had reached at some time.
type point struct {
	At         string  `json:"at"`
	Seconds    float64 `json:"seconds"` // since the campaign began
	Execs      uint64  `json:"execs"`
	Edges      int     `json:"edges"`
	Buckets    int     `json:"buckets"`
	Entries    int     `json:"entries"`
	Covered    int     `json:"covered"`
	Statements int     `json:"statements"`
	Findings   int     `json:"findings"` // that count
	Rate       float64 `json:"rate"`     // executions per second since the previous point
}

// technique is the number of entries and new edges that a technique found in a target.
type technique struct {
	Name    string `json:"name"`
	Entries int    `json:"entries"`
	Edges   int    `json:"edges"`
}

// targetPage is all of a target of a campaign.
type targetPage struct {
	Target     targetRow    `json:"target"`
	Points     []point      `json:"points"`
	Techniques []technique  `json:"techniques"`
	Entries    []entryRow   `json:"entries"`
	Findings   []findingRow `json:"findings"`
}

func (s *data) showTarget(r *http.Request) (targetPage, error) {
	id := r.PathValue("id")
	p, err := s.placeIn(r.Context(), id, r.PathValue("key"))
	if err != nil {
		return targetPage{}, err
	}
	d, err := s.detail(r.Context(), id)
	if err != nil {
		return targetPage{}, err
	}
	at := slices.IndexFunc(d.Targets, func(t targetRow) bool { return t.Package == p.Package && t.Target == p.Func })
	if at < 0 {
		return targetPage{}, notFound("the campaign has no target %s in %s", p.Func, p.Package)
	}
	page := targetPage{Target: d.Targets[at], Points: []point{}, Techniques: []technique{}, Findings: []findingRow{}}
	for _, f := range d.Findings {
		if f.Package == p.Package && f.Target == p.Func {
			page.Findings = append(page.Findings, f)
		}
	}
	if number := int64(d.Campaign.ID); number != 0 {
		if page.Points, err = s.points(r.Context(), number, p.Name, page.Findings); err != nil {
			return targetPage{}, err
		}
		if page.Techniques, err = s.techniques(r.Context(), number, p.Name); err != nil {
			return targetPage{}, err
		}
	}
	if s.isLive(id) {
		page.Points = append(page.Points, now(page.Target, page.Points, d.Campaign))
	}
	_, page.Entries, err = s.corpus(r.Context(), p, "", 0, newestEntries)
	return page, err
}

// now returns the point of a target of a campaign that runs.
func now(t targetRow, points []point, c campaignRow) point {
	p := point{
		At: stamp(time.Now()), Seconds: c.Seconds, Execs: t.Execs, Edges: t.Edges, Buckets: t.Buckets, Entries: t.Entries, Covered: t.Covered,
		Statements: t.Statements, Findings: t.Bugs, Rate: t.Rate,
	}
	if len(points) > 0 {
		p.Seconds = max(p.Seconds, points[len(points)-1].Seconds)
	}
	return p
}

// points returns the coverage of a target over time, in at most maxPoints points.
func (s *data) points(ctx context.Context, campaign int64, name fuzz.Name, findings []findingRow) ([]point, error) {
	h, err := s.history()
	if err != nil {
		return nil, err
	}
	c, ok, err := h.Summary(ctx, campaign)
	if err != nil || !ok {
		return []point{}, err
	}
	all, err := h.CoverageOf(ctx, campaign, name)
	if err != nil {
		return nil, err
	}
	list := []point{}
	var before store.Point
	for i, p := range thin(all, maxPoints) {
		one := point{
			At: stamp(p.At), Seconds: p.At.Sub(c.Start).Seconds(), Execs: p.Execs, Edges: p.Edges, Buckets: p.Buckets, Entries: p.Entries,
			Covered: p.Covered, Statements: p.Statements,
		}
		if passed := p.At.Sub(before.At).Seconds(); i > 0 && p.Execs >= before.Execs && passed > 0 {
			one.Rate = float64(p.Execs-before.Execs) / passed
		}
		for _, f := range findings {
			if f.Counts && f.First <= one.At { // both have the same form
				one.Findings++
			}
		}
		before = p
		list = append(list, one)
	}
	return list, nil
}

// techniques returns the entries and new edges that each technique found in a target.
func (s *data) techniques(ctx context.Context, campaign int64, name fuzz.Name) ([]technique, error) {
	list := []technique{}
	h, err := s.history()
	if err != nil {
		return list, err
	}
	all, err := h.Techniques(ctx, campaign, name)
	for _, one := range all {
		list = append(list, technique(one))
	}
	return list, err
}

// thin returns at most limit elements of a list, evenly, with the first and the last one.
func thin[T any](list []T, limit int) []T {
	if len(list) <= limit {
		return list
	}
	some := make([]T, 0, limit)
	for i := range limit {
		some = append(some, list[i*(len(list)-1)/(limit-1)])
	}
	return some
}

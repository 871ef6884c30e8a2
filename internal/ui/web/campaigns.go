package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// maxCampaigns limits the list of campaigns.
const maxCampaigns = 500

// campaignList is the campaigns, the newest first.
type campaignList struct {
	Campaigns []campaignRow `json:"campaigns"`
}

func (s *data) listCampaigns(r *http.Request) (campaignList, error) {
	list := []campaignRow{}
	if h, err := s.history(); err == nil {
		all, err := h.Summaries(r.Context(), maxCampaigns)
		if err != nil {
			return campaignList{}, err
		}
		for _, c := range all {
			list = append(list, s.rowOf(c))
		}
	}
	if s.Live != nil {
		now := s.Live.snapshot()
		row := s.liveRow(now, s.liveSummary(r.Context(), now.Number))
		at := slices.IndexFunc(list, func(c campaignRow) bool { return c.ID == row.ID })
		if at < 0 {
			list = slices.Insert(list, 0, row)
		} else {
			list[at] = row
		}
	}
	return campaignList{list}, nil
}

// liveSummary returns the summary of the campaign of this process, whose number is 0 if the history does not have it; nil: there is none.
func (s *data) liveSummary(ctx context.Context, number int64) *store.Summary {
	h, err := s.history()
	if err != nil || number == 0 {
		return nil
	}
	c, ok, err := h.Summary(ctx, number)
	if err != nil || !ok {
		return nil
	}
	return &c
}

// liveRow returns the row of the campaign of this process. kept is its summary in the history; nil: there is none.
func (s *data) liveRow(now event.Snapshot, kept *store.Summary) campaignRow {
	l := s.Live
	row := campaignRow{Module: now.Module, Packages: l.packages, Args: l.args, Started: stamp(l.began)}
	if kept != nil {
		row = s.rowOf(*kept)
	}
	t := now.Totals
	row.State, row.Seconds, row.Targets, row.Execs, row.Edges, row.Entries, row.Findings = running, t.Seconds, t.Begun, t.Execs, t.Edges, t.Entries, t.Findings
	row.Statements, row.Covered, row.Ended = t.Statements, t.Covered, nil
	if l.over() != nil {
		row.State = ended
	}
	return row
}

// detail is all of a campaign but its log.
type detail struct {
	Campaign campaignRow         `json:"campaign"`
	At       string              `json:"at"`
	Paused   bool                `json:"paused"`
	Pausing  bool                `json:"pausing"`
	Totals   *event.Status       `json:"totals"`
	Targets  []targetRow         `json:"targets"`
	Workers  []event.WorkerState `json:"workers"`
	Builds   []event.BuildState  `json:"builds"`
	Findings []findingRow        `json:"findings"`
	End      *event.End          `json:"end"`
}

// campaignPage is all of a campaign.
type campaignPage struct {
	detail
	Log []logRow `json:"log"`
}

func (s *data) showCampaign(r *http.Request) (campaignPage, error) {
	d, err := s.detail(r.Context(), r.PathValue("id"))
	if err != nil {
		return campaignPage{}, err
	}
	log := []logRow{}
	if s.isLive(r.PathValue("id")) {
		lines, _, _ := s.Live.logSince(0)
		log = append(log, lines...)
	}
	return campaignPage{d, log}, nil
}

// isLive reports whether an ID is that of the campaign of this process.
func (s *data) isLive(id string) bool {
	if s.Live == nil {
		return false
	}
	return id == liveID || id == strconv.FormatInt(s.Live.snapshot().Number, 10)
}

// detail returns the campaign with an ID.
func (s *data) detail(ctx context.Context, id string) (detail, error) {
	if s.isLive(id) {
		return s.liveDetail(ctx), nil
	}
	c, err := s.summary(ctx, id)
	if err != nil {
		return detail{}, err
	}
	d := detail{
		Campaign: s.rowOf(c), At: stamp(time.Now()), Targets: []targetRow{}, Workers: []event.WorkerState{}, Builds: []event.BuildState{}, Findings: []findingRow{},
	}
	findings, err := s.findingsOf(ctx, c)
	if err != nil {
		return detail{}, err
	}
	b, err := s.past(ctx, c, d.Campaign.State == running, findings)
	if err != nil {
		return detail{}, err
	}
	for _, t := range b.Snapshot().Targets {
		d.Targets = append(d.Targets, rowOfTarget(t))
	}
	for _, f := range findings {
		d.Findings = append(d.Findings, rowOfFinding(f, c.Module))
	}
	d.Campaign.Findings = b.Totals().Bugs
	return d, nil
}

// summary returns the campaign of the history with an ID.
func (s *data) summary(ctx context.Context, id string) (store.Summary, error) {
	if id == liveID && s.Live != nil {
		now := s.Live.snapshot().Number
		if now == 0 {
			return store.Summary{}, notFound("the history does not have the campaign that runs")
		}
		id = strconv.FormatInt(now, 10)
	}
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return store.Summary{}, notFound("a campaign has a number")
	}
	h, err := s.history()
	if err != nil {
		return store.Summary{}, err
	}
	c, ok, err := h.Summary(ctx, number)
	if err == nil && !ok {
		err = notFound("the history has no campaign %d", number)
	}
	return c, err
}

// liveDetail returns the campaign of this process.
func (s *data) liveDetail(ctx context.Context) detail {
	l, now := s.Live, s.Live.snapshot()
	d := detail{
		Campaign: s.liveRow(now, s.liveSummary(ctx, now.Number)), At: stamp(now.At), Paused: now.Paused, Pausing: now.Pausing, Totals: &now.Totals,
		Targets: []targetRow{}, Workers: append([]event.WorkerState{}, now.Workers...), Builds: append([]event.BuildState{}, now.Builds...),
		Findings: []findingRow{},
	}
	for _, e := range slices.Backward(now.Findings) {
		d.Findings = append(d.Findings, rowOfFinding(e, now.Module))
	}
	d.End = l.over()
	for _, t := range now.Targets {
		d.Targets = append(d.Targets, rowOfTarget(t))
	}
	return d
}

package metrics

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

var (
	began = time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)
	fuzzA = event.Subject{Package: "example.com/m/a", Folder: "a", Func: "FuzzA"}
	fuzzB = event.Subject{Package: "example.com/m/b", Folder: "b", Func: "FuzzB"}
	fuzzC = event.Subject{Package: "example.com/m/c", Folder: "c", Func: "FuzzC"}
	fuzzD = event.Subject{Package: "example.com/m/d", Folder: "d", Func: "FuzzD"}
)

// found returns a finding of fuzzA that counts.
func found(id string, kind finding.Kind) event.Finding {
	return event.Finding{Record: finding.Record{ID: id, Kind: kind, Package: fuzzA.Package, Folder: fuzzA.Folder, Target: fuzzA.Func, Replays: 3, Repeats: 3}}
}

// after returns the metrics after some events, which are one second apart.
func after(events ...event.Event) *Metrics {
	m := New()
	m.now = func() time.Time { return began }
	for i, e := range events {
		m.Event(event.Stamped{At: began.Add(time.Duration(i) * time.Second), Event: e})
	}
	return m
}

// running are the first events of a campaign.
var running = []event.Event{
	event.Plan{Targets: []event.Subject{fuzzA, fuzzB, fuzzC, fuzzD}},
	event.Building{Packages: []string{fuzzC.Package}, Done: 2, Total: 4},
	event.Building{Packages: []string{fuzzD.Package}, Race: true, Done: 9, Total: 9},
	event.Building{Packages: []string{fuzzD.Package}, Cover: true, Done: 8, Total: 8},
	event.Start{Module: "example.com/m", Targets: 4, Workers: 4, Seconds: 60},
	event.Turn{Subject: fuzzA, Slots: []int{0, 1}, Over: true, Turns: 1, Spent: 2.5},
	event.Turn{Subject: fuzzA, Slots: []int{0, 1}},
	event.Turn{Subject: fuzzB, Slots: []int{2}},
	event.WarmUp{Subject: fuzzA, Run: event.Run{WarmingUp: true, Workers: 1}},
	event.WarmUp{Subject: fuzzB, Run: event.Run{WarmingUp: true, Workers: 1}},
	event.Progress{Subject: fuzzA, Run: event.Run{Execs: 700, Edges: 7, Entries: 5, Workers: 2}, Spent: 1.5},
	event.Progress{Subject: fuzzB, Run: event.Run{WarmingUp: true, Execs: 30, Edges: 3, Workers: 1}},
	event.Progress{Subject: fuzzA, Run: event.Run{Execs: 800, Edges: 7, Entries: 6, Workers: 2, Rerun: 9, Repeated: 8}, Spent: 2.5},
	event.Status{Seconds: 5, Targets: 4, Execs: 830, Edges: 10, Entries: 6, Left: 55},
}

// value returns the value of a series, such as `gnaw_targets{state="ended"}`.
func value(t *testing.T, m *Metrics, series string) string {
	t.Helper()
	for line := range strings.Lines(scrape(t, m)) {
		if rest, ok := strings.CutPrefix(line, series+" "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "missing"
}

// scrape returns the answer to a request.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("the answer is %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func TestTheMetricsAreThoseOfTheEvents(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events []event.Event // after those of a campaign that runs
		want   map[string]string
	}{
		{"totals", nil, map[string]string{
			"gnaw_execs_total": "830", "gnaw_edges": "10", "gnaw_entries": "6", "gnaw_fuzzing_seconds_total": "5", "gnaw_remaining_seconds": "55",
			`gnaw_campaign_info{module="example.com/m"}`: "1", "gnaw_workers": "4", "gnaw_worker_busy_ratio": "0.75",
			"gnaw_builds": "4", "gnaw_builds_done": "2", "gnaw_statements": "missing", "gnaw_statements_covered": "missing",
		}},
		{"a target", nil, map[string]string{
			`gnaw_target_execs_total{package="example.com/m/a",target="FuzzA"}`:                     "800",
			`gnaw_target_edges{package="example.com/m/a",target="FuzzA"}`:                           "7",
			`gnaw_target_entries{package="example.com/m/a",target="FuzzA"}`:                         "6",
			`gnaw_target_workers{package="example.com/m/a",target="FuzzA"}`:                         "2",
			`gnaw_target_worker_seconds_total{package="example.com/m/a",target="FuzzA"}`:            "2.5",
			`gnaw_target_last_new_edge_timestamp_seconds{package="example.com/m/a",target="FuzzA"}`: "1.77236821e+09",
			`gnaw_target_last_new_edge_timestamp_seconds{package="example.com/m/c",target="FuzzC"}`: "missing",
			`gnaw_target_statements{package="example.com/m/a",target="FuzzA"}`:                      "missing",
			`gnaw_target_rerun_entries_total{package="example.com/m/a",target="FuzzA"}`:             "9",
			`gnaw_target_repeated_entries_total{package="example.com/m/a",target="FuzzA"}`:          "8",
		}},
		{"techniques", []event.Event{
			event.Entry{Subject: fuzzA, Edges: 2, Technique: "solve"}, event.Entry{Subject: fuzzB, Edges: 1, Technique: "solve"}, event.Entry{Subject: fuzzB},
		}, map[string]string{
			`gnaw_new_entries_total{technique="solve"}`: "2", `gnaw_new_edges_total{technique="solve"}`: "3", `gnaw_new_entries_total{technique="unknown"}`: "1",
		}},
		{"states", nil, map[string]string{
			`gnaw_targets{state="fuzzing"}`: "1", `gnaw_targets{state="warming"}`: "1", `gnaw_targets{state="building"}`: "1",
			`gnaw_targets{state="waiting"}`: "1", `gnaw_targets{state="ended"}`: "0",
		}},
		{"targets without a turn", []event.Event{
			event.Turn{Subject: fuzzA, Slots: []int{0, 1}, Over: true, Execs: 800, Turns: 2},
			event.Turn{Subject: fuzzB, Slots: []int{2}, Over: true, Execs: 40, Turns: 1},
			event.Notice{What: event.Quiet, Subject: fuzzB, Text: "quiet"},
			event.Notice{What: event.Aside, Subject: fuzzC, Text: "does not start"},
			event.Notice{What: event.Skipped, Subject: fuzzD, Text: "f.Skip"},
		}, map[string]string{
			`gnaw_targets{state="paused"}`: "1", `gnaw_targets{state="quiet"}`: "1", `gnaw_targets{state="aside"}`: "1",
			`gnaw_targets{state="skipped"}`: "1", "gnaw_worker_busy_ratio": "0", `gnaw_notices_total{kind="aside"}`: "1",
		}},
		{"notices about the campaign", []event.Event{
			event.Notice{What: event.Paused}, event.Notice{What: event.Resumed}, event.Notice{What: event.Focus}, event.Notice{What: event.Paused},
		}, map[string]string{
			`gnaw_notices_total{kind="paused"}`: "2", `gnaw_notices_total{kind="resumed"}`: "1", `gnaw_notices_total{kind="focus"}`: "1",
		}},
		{"a new edge of a quiet target", []event.Event{
			event.Turn{Subject: fuzzB, Slots: []int{2}, Over: true, Turns: 1}, event.Notice{What: event.Quiet, Subject: fuzzB}, event.Progress{Subject: fuzzB, Run: event.Run{Edges: 4}},
		}, map[string]string{`gnaw_targets{state="quiet"}`: "0", `gnaw_targets{state="paused"}`: "1"}},
		{"statements", []event.Event{
			event.Cover{Subject: fuzzA, Reached: event.Reached{Covered: 3, Statements: 9}},
			event.Status{Reached: event.Reached{Covered: 4, Statements: 20}},
		}, map[string]string{
			"gnaw_statements": "20", "gnaw_statements_covered": "4",
			`gnaw_target_statements_covered{package="example.com/m/a",target="FuzzA"}`: "3",
			`gnaw_target_statements{package="example.com/m/a",target="FuzzA"}`:         "9",
		}},
		{"a finding of each outcome", []event.Event{
			found("1", finding.Panic), found("2", finding.Hang),
			event.Finding{Record: finding.Record{ID: "3", Kind: finding.Panic, Flaky: true, Replays: 3}},
			event.Finding{Record: finding.Record{ID: "4", Kind: finding.Exit, Replays: 3}, Known: &event.Known{Reason: "old"}},
			event.Finding{Record: finding.Record{ID: "5", Kind: finding.Exit, Replays: 3, Package: fuzzA.Package, Target: fuzzA.Func}, Known: &event.Known{Expired: true}},
		}, map[string]string{
			`gnaw_findings_total{kind="panic"}`: "1", `gnaw_findings_total{kind="hang"}`: "1", `gnaw_findings_total{kind="exit"}`: "1",
			`gnaw_flaky_findings_total{kind="panic"}`: "1", `gnaw_known_findings_total{kind="exit"}`: "1", `gnaw_findings_total{kind="race"}`: "0",
			`gnaw_target_findings_total{package="example.com/m/a",target="FuzzA"}`: "3",
		}},
		{"a finding that is reported twice", []event.Event{found("1", finding.Panic), found("1", finding.Panic)}, map[string]string{
			`gnaw_findings_total{kind="panic"}`: "1", `gnaw_target_findings_total{package="example.com/m/a",target="FuzzA"}`: "1",
		}},
		{"the end", []event.Event{
			event.Notice{What: event.Aside, Subject: fuzzC},
			event.TargetEnd{Subject: fuzzA, Execs: 900, Edges: 8, Entries: 7, Reached: event.Reached{Covered: 1, Statements: 2}},
			event.TargetEnd{Subject: fuzzC, Result: event.Unusable},
			event.Status{Execs: 999, Last: true},
			event.End{},
		}, map[string]string{
			`gnaw_targets{state="ended"}`: "1", `gnaw_targets{state="aside"}`: "1", "gnaw_execs_total": "930",
			`gnaw_target_execs_total{package="example.com/m/a",target="FuzzA"}`: "900",
			`gnaw_target_statements{package="example.com/m/a",target="FuzzA"}`:  "2",
		}},
	} {
		m := after(append(slices.Clone(running), tt.events...)...)
		for series, want := range tt.want {
			if got := value(t, m, series); got != want {
				t.Errorf("%s: %s is %s, want %s", tt.name, series, got, want)
			}
		}
	}
}

func TestTheMetricsKeepTheRulesOfPrometheus(t *testing.T) {
	m := after(append(slices.Clone(running), event.Entry{Subject: fuzzA, Edges: 2, Technique: "solve"}, event.Cover{Subject: fuzzA, Reached: event.Reached{Covered: 3, Statements: 9}},
		event.Status{Reached: event.Reached{Covered: 4, Statements: 20}})...)
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(m)
	problems, err := testutil.GatherAndLint(registry)
	if err != nil || len(problems) > 0 {
		t.Errorf("the problems are %+v (%v), want none", problems, err)
	}
	got, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range got {
		names = append(names, f.GetName())
		if f.GetType().String() == "UNTYPED" {
			t.Errorf("%s has no type", f.GetName())
		}
	}
	for _, f := range families {
		if !slices.Contains(names, f.name) {
			t.Errorf("%s has no series in a campaign that counts statements", f.name)
		}
	}
}

func TestACampaignWithoutEventsHasMetrics(t *testing.T) {
	m := New()
	if got := value(t, m, "gnaw_execs_total"); got != "0" {
		t.Errorf("gnaw_execs_total is %s, want 0", got)
	}
	if got := value(t, m, "gnaw_worker_busy_ratio"); got != "missing" {
		t.Errorf("gnaw_worker_busy_ratio is %s, want none: nobody knows the number of workers", got)
	}
}

func TestTextThatPrometheusRefusesIsReplaced(t *testing.T) {
	m := after(event.Start{Module: "m\xff\"\n"}, event.Progress{Subject: event.Subject{Package: "p\xff", Func: "F"}})
	if got := value(t, m, `gnaw_target_execs_total{package="p�",target="F"}`); got != "0" {
		t.Errorf("the series of the target is %s", got)
	}
	if got := value(t, m, `gnaw_campaign_info{module="m�\"\n"}`); got != "1" {
		t.Errorf("the series of the module is %s", got)
	}
}

func TestTheNumberOfSeriesIsLimited(t *testing.T) {
	var plan event.Plan
	for i := range maxTargets + 10 {
		plan.Targets = append(plan.Targets, event.Subject{Package: "p", Func: fmt.Sprintf("Fuzz%d", i)})
	}
	m := after(plan)
	if n := strings.Count(scrape(t, m), "\ngnaw_target_edges{"); n != maxTargets {
		t.Errorf("%d targets have a series, want %d", n, maxTargets)
	}
	if got := value(t, m, `gnaw_targets{state="waiting"}`); got != "1010" {
		t.Errorf("%s targets are waiting, want 1010", got)
	}
}

func TestScrapesAndEventsMayComeAtOnce(t *testing.T) {
	m, done := New(), make(chan struct{})
	go func() {
		defer close(done)
		for i := range 200 {
			m.Event(event.Stamped{At: began, Event: event.Progress{Subject: fuzzA, Run: event.Run{Execs: uint64(i)}}})
		}
	}()
	for range 20 {
		scrape(t, m)
	}
	<-done
	if got := value(t, m, `gnaw_target_execs_total{package="example.com/m/a",target="FuzzA"}`); got != "199" {
		t.Errorf("at the end there are %s executions, want 199", got)
	}
}

// The table of docs/metrics.md has each metric with its type and labels, in the order of the code, and no other.
func TestTheMetricsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(gnaw_\\w+)` \\| (\\w+) \\|([^|]*)\\|").FindAllStringSubmatch(string(text), -1) {
		got = append(got, strings.TrimSpace(row[1]+" "+row[2]+" "+strings.ReplaceAll(strings.TrimSpace(row[3]), "`", "")))
	}
	for _, f := range families {
		kind := "gauge"
		if f.kind == prometheus.CounterValue {
			kind = "counter"
		}
		want = append(want, strings.TrimSpace(f.name+" "+kind+" "+strings.Join(f.labels, ", ")))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// docs/metrics.md has each value of the labels kind, of notices, and state.
func TestTheKindsAndStatesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, row, _ := strings.Cut(string(text), "`gnaw_notices_total`")
	row, _, _ = strings.Cut(row, "\n")
	var kinds []string
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(row, -1) {
		kinds = append(kinds, m[1])
	}
	want := []string{"kind"} // the label comes first
	for _, kind := range event.NoticeKinds() {
		want = append(want, string(kind))
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("the row of gnaw_notices_total has %q, want %q", kinds, want)
	}
	_, table, _ := strings.Cut(string(text), "The label `state` is one of")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, m[1])
	}
	var states []string
	for _, p := range board.Phases {
		states = append(states, stateLabel(p))
	}
	if !slices.Equal(listed, states) {
		t.Errorf("the table of states has %q, want %q", listed, states)
	}
}

// dashboard has the fields of the dashboard that the test reads.
type dashboard struct {
	Title      string
	UID        string
	Panels     []panel
	Templating struct {
		List []struct{ Name, Query string }
	}
}

type panel struct {
	ID      int
	Title   string
	Type    string
	Targets []struct{ Expr string }
	GridPos struct{ X, Y, W, H int }
}

func TestTheDashboardUsesTheMetrics(t *testing.T) {
	text, err := os.ReadFile("../../docs/grafana-dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	if d.Title == "" || d.UID == "" || len(d.Panels) == 0 {
		t.Fatalf("the dashboard is %+v, want a title, an ID and panels", d)
	}
	labels := map[string][]string{}
	for _, f := range families {
		labels[f.name] = append([]string{"instance"}, f.labels...)
	}
	metric := regexp.MustCompile(`\b(gnaw_\w+)(?:\{([^}]*)\})?`)
	ids := map[int]bool{}
	check := func(where, expr string) {
		found := metric.FindAllStringSubmatch(expr, -1)
		if len(found) == 0 {
			t.Errorf("%s: %q has no metric", where, expr)
		}
		for _, m := range found {
			known, ok := labels[m[1]]
			if !ok {
				t.Errorf("%s: %q uses %s, which does not exist", where, expr, m[1])
			}
			for _, l := range regexp.MustCompile(`(\w+)(?:=|!)`).FindAllStringSubmatch(m[2], -1) {
				if !slices.Contains(known, l[1]) {
					t.Errorf("%s: %q uses the label %s, which %s does not have", where, expr, l[1], m[1])
				}
			}
		}
		if strings.Count(expr, "(") != strings.Count(expr, ")") {
			t.Errorf("%s: %q has brackets without partners", where, expr)
		}
	}
	for _, v := range d.Templating.List {
		if v.Name != "datasource" {
			check("the variable "+v.Name, v.Query)
		}
	}
	for _, p := range d.Panels {
		if p.Type == "row" {
			continue
		}
		if ids[p.ID] || p.Title == "" || p.GridPos.W == 0 || p.GridPos.X+p.GridPos.W > 24 || len(p.Targets) == 0 {
			t.Errorf("the panel %d, %q, has an ID of another one, or no title, place or query", p.ID, p.Title)
		}
		ids[p.ID] = true
		for _, q := range p.Targets {
			check(p.Title, q.Expr)
		}
	}
}

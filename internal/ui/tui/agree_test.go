package tui_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/metrics"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
	"github.com/gnaw-fuzz/gnaw/internal/summary"
	"github.com/gnaw-fuzz/gnaw/internal/ui/jsonl"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
	"github.com/gnaw-fuzz/gnaw/internal/ui/tui"
	"github.com/gnaw-fuzz/gnaw/internal/ui/web"
)

func named(name string) event.Subject {
	return event.Subject{Package: "example.com/m/" + strings.ToLower(name), Folder: strings.ToLower(name), Func: "Fuzz" + name}
}

// The targets of the recorded campaign: two are fuzzed, of which one fails in plain go test, one cannot be fuzzed, and one gets no turn.
var fuzzed, failing, aside, late = named("Fuzzed"), named("Failing"), named("Aside"), named("Late")

// screens are all that shows the recorded campaign.
type screens struct {
	t        *testing.T
	began    time.Time
	campaign *board.Board // of the campaign, from which status and snapshot come
	terminal *board.State
	metrics  *metrics.Metrics
	live     *web.Live
	api      *http.Client
	plain    bytes.Buffer
	lines    bytes.Buffer
	receive  []func(event.Stamped)

	reached event.Reached
	history summary.Options
	last    map[fuzz.Name]store.Point
}

func newScreens(t *testing.T) *screens {
	s := &screens{t: t, began: time.Now(), campaign: board.New(), terminal: board.NewState(), metrics: metrics.New(), last: map[fuzz.Name]store.Point{}}
	s.live = web.NewLive("./...", "", "", func() event.Snapshot {
		n := s.campaign.Snapshot(time.Now())
		n.Module = "example.com/m"
		return n
	})
	server := web.New(web.Options{Live: s.live, Open: func(context.Context) (*store.Store, error) { return nil, fmt.Errorf("there is no history") }})
	listener := &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
	server.ServeSocket(listener)
	s.api = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: listener.dial}}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	s.receive = []func(event.Stamped){
		s.campaign.Apply, s.terminal.Apply, s.metrics.Event, s.live.Event,
		text.New(text.Options{Out: text.Output{Writer: &s.plain}, Errors: text.Output{Writer: &s.plain}}).Event,
		(&jsonl.Renderer{Out: &s.lines}).Event,
	}
	s.history = summary.Options{State: summary.Running, Campaign: store.Summary{Past: store.Past{ID: 1, Campaign: store.Campaign{Module: "example.com/m", Start: s.began}}}}
	return s
}

// pipes is a listener of connections in memory.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	p.connections <- server
	return client, nil
}

// send publishes events, and records what a campaign records of them.
func (s *screens) send(events ...event.Event) {
	for _, e := range events {
		for _, f := range s.receive {
			f(event.Stamped{At: time.Now(), Event: e})
		}
		switch e := e.(type) {
		case event.Progress:
			s.last[e.Subject.Target()] = store.Point{
				Target: e.Subject.Target(), At: time.Now(), Execs: e.Execs, Edges: e.Edges, Entries: e.Entries,
			}
		case event.Finding:
			s.history.Findings = append(s.history.Findings, e)
		case event.Again:
			s.history.Progress = append(s.history.Progress, store.Progress{Target: e.Subject.Target(), State: fmt.Sprintf(`{"findings":{%q:%q}}`, e.ID, e.Result)})
		case event.TargetEnd:
			s.history.Results = append(s.history.Results, store.Result{Target: e.Subject.Target(), Result: string(e.Result), Reason: e.Reason})
		}
	}
}

// status publishes the totals as a campaign does.
func (s *screens) status(spent time.Duration, last bool) {
	var e event.Status
	s.campaign.Read(time.Now(), func(b *board.State) { e = b.Status(spent, last) })
	e.Reached, e.Left = s.reached, (2*time.Minute - spent).Seconds()
	s.send(e)
}

// page is what the API says about the campaign.
type page struct {
	Totals  event.Status
	Targets []event.TargetState
	Paused  bool
}

func (s *screens) page() (p page) {
	s.t.Helper()
	answer, err := s.api.Get("http://gnaw/api/campaigns/live")
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&p); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// check compares what the screens show with the numbers of the API.
func (s *screens) check(moment string) {
	s.t.Helper()
	want := s.page()
	s.checkStatus(moment, want.Totals, want.Paused)
	s.checkTerminal(moment, want)
	s.checkMetrics(moment, want)
	s.checkReport(moment, want)
}

func amount[N int | uint64 | float64](n N) string { return report.Amount(float64(int(n))) }

// checkStatus compares the last status of JSON, and of plain output, which has no line in a pause.
func (s *screens) checkStatus(moment string, want event.Status, paused bool) {
	s.t.Helper()
	var line string
	for one := range strings.Lines(s.plain.String()) {
		if strings.Contains(one, " targets started, ") {
			line = one
		}
	}
	text := fmt.Sprintf("%v: %d of %d targets started, %s execs (%s/s), %s, %s, %s", time.Duration(want.Seconds*float64(time.Second)).Round(time.Second), want.Begun, want.Targets,
		amount(want.Execs), report.Amount(want.Rate), report.Plural(want.Edges, "edge"), report.Plural(want.Entries, "entry"), report.Plural(want.Findings, "finding"))
	if want.Statements > 0 {
		text += fmt.Sprintf(", %d of %d statements reached", want.Covered, want.Statements)
	}
	if !paused && !strings.HasPrefix(line, text) {
		s.t.Errorf("%s: plain output says %q, want %q", moment, line, text)
	}
	var got event.Status
	for one := range strings.Lines(s.lines.String()) {
		if e, _, err := event.Decode([]byte(one)); err == nil && e.Name() == got.Name() {
			got = e.(event.Status)
		}
	}
	if got != want {
		s.t.Errorf("%s: JSON says %+v, want %+v", moment, got, want)
	}
}

// checkTerminal compares the list of targets in the terminal.
func (s *screens) checkTerminal(moment string, want page) {
	s.t.Helper()
	s.terminal.Advance(time.Now())
	frame, t := tui.Frame(s.terminal, 160, 24), want.Totals
	doing := "fuzzing "
	if t.Last {
		doing = "ended "
	} else if want.Paused {
		doing = "paused "
	}
	parts := []string{
		doing, fmt.Sprintf("%d of %d targets begun  %s/s  %s", t.Begun, t.Targets, amount(t.Rate), report.Plural(t.Edges, "edge")),
		report.Plural(t.Findings, "finding"), report.Plural(t.Entries, "entry") + "  " + amount(t.Execs) + " execs",
	}
	if t.Statements > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d statements", t.Covered, t.Statements))
	}
	for _, part := range parts {
		if !strings.Contains(frame, part) {
			s.t.Errorf("%s: the terminal does not say %q:\n%s", moment, part, frame)
		}
	}
	number := func(n string) string {
		if n == "0" {
			return "-"
		}
		return n
	}
	for _, t := range want.Targets {
		row := regexp.MustCompile(`(?m)^[ >]` + t.Subject.Func + ` +(.*)$`).FindStringSubmatch(frame)
		if row == nil {
			s.t.Fatalf("%s: the terminal does not have %s:\n%s", moment, t.Subject.Func, frame)
		}
		numbers := []string{number(amount(t.Rate)), number(amount(t.Edges)), number(amount(t.Entries)), number(amount(t.Bugs))}
		got := strings.Fields(strings.TrimPrefix(row[1], t.State))
		if !strings.HasPrefix(row[1], t.State) || len(got) < 5 || !slices.Equal(got[:4], numbers) {
			s.t.Errorf("%s: the terminal says %q of %s, want %s %v", moment, row[1], t.Subject.Func, t.State, numbers)
		}
	}
}

// checkMetrics compares the metrics of the totals and of each target.
func (s *screens) checkMetrics(moment string, want page) {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.metrics.ServeHTTP(w, httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/metrics", nil))
	series := map[string]float64{}
	for line := range strings.Lines(w.Body.String()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			series[name], _ = strconv.ParseFloat(value, 64) // a value that is no number differs
		}
	}
	t := want.Totals
	numbers := map[string]float64{
		"gnaw_fuzzing_seconds_total": t.Seconds, "gnaw_remaining_seconds": t.Left, "gnaw_execs_total": float64(t.Execs), "gnaw_edges": float64(t.Edges),
		"gnaw_entries": float64(t.Entries), `gnaw_findings_total{kind="panic"}`: float64(t.Findings), "gnaw_statements_covered": float64(t.Covered),
	}
	states := map[string]float64{}
	for _, one := range want.Targets {
		label := fmt.Sprintf("{package=%q,target=%q}", one.Package, one.Subject.Func)
		numbers["gnaw_target_execs_total"+label], numbers["gnaw_target_edges"+label] = float64(one.Execs), float64(one.Edges)
		numbers["gnaw_target_entries"+label], numbers["gnaw_target_findings_total"+label] = float64(one.Entries), float64(one.Bugs)
		numbers["gnaw_target_workers"+label], numbers["gnaw_target_statements_covered"+label] = float64(one.Workers), float64(one.Covered)
		if at := series["gnaw_target_last_new_edge_timestamp_seconds"+label]; one.SinceEdge > 0 || at > 0 {
			numbers["gnaw_target_last_new_edge_timestamp_seconds"+label] = float64(time.Now().Unix()) - one.SinceEdge
		}
		states[strings.TrimPrefix(one.State, "set ")]++
	}
	for state, n := range states {
		numbers[fmt.Sprintf("gnaw_targets{state=%q}", state)] = n
	}
	for name, n := range numbers {
		if got := series[name]; got != n {
			s.t.Errorf("%s: %s is %v, want %v", moment, name, got, n)
		}
	}
}

// checkReport compares a report about what the history has at this moment.
func (s *screens) checkReport(moment string, want page) {
	s.t.Helper()
	o, t := s.history, want.Totals
	o.At, o.Points = time.Now(), nil
	for _, name := range []event.Subject{fuzzed, failing} {
		if p, ok := s.last[name.Target()]; ok {
			o.Points = append(o.Points, p)
		}
	}
	for i, p := range o.Points {
		for _, one := range want.Targets {
			if one.Subject.Func == p.Target.Func {
				o.Points[i].Covered, o.Points[i].Statements = one.Covered, one.Statements
			}
		}
	}
	o.Campaign.Spent, o.Campaign.Covered, o.Campaign.Statements = time.Duration(t.Seconds*float64(time.Second)), t.Covered, t.Statements
	var text bytes.Buffer
	if err := summary.Markdown(&text, o); err != nil {
		s.t.Fatal(err)
	}
	parts := []string{
		report.Plural(t.Findings, "bug") + " in ", fmt.Sprintf("%s executions, %s, %s,", amount(t.Execs), report.Plural(t.Edges, "edge"), report.Plural(t.Entries, "entry")),
		fmt.Sprintf("%v of fuzzing", o.Campaign.Spent.Round(time.Second)),
	}
	for _, one := range want.Targets {
		if one.Execs > 0 {
			statements := "-"
			if one.Statements > 0 {
				statements = fmt.Sprintf("%d/%d", one.Covered, one.Statements)
			}
			parts = append(parts, fmt.Sprintf("| `%s` | `%s` | %s | %d | %d | %s | - | %d |", one.Subject.Func, one.Package, amount(one.Execs), one.Edges, one.Entries, statements, one.Bugs))
		}
		if t.Last && one.State != "ended" {
			parts = append(parts, fmt.Sprintf("| `%s` | `%s` | %s |", one.Subject.Func, one.Package, one.Result))
		}
	}
	for _, part := range parts {
		if !strings.Contains(text.String(), part) {
			s.t.Errorf("%s: the report does not say %q:\n%s", moment, part, text.String())
		}
	}
}

// progress publishes a second of fuzzing.
func (s *screens) progress(second int) {
	run := event.Run{Instrumented: true, Execs: uint64(1234 * second), Edges: 30 + 20*second/(second+4), Entries: 5 + second}
	s.send(event.Progress{Subject: fuzzed, Run: run, Spent: float64(second)})
	if second > 6 { // until then its process has not reached F.Fuzz
		run.Execs, run.Edges, run.Entries = uint64(57*(second-6)), 9, 3
		s.send(event.Progress{Subject: failing, Run: run})
	}
}

func panicOf(id string, t event.Subject) event.Finding {
	return event.Finding{Short: id[:4], Rerun: "go test", Record: finding.Record{
		ID: id, Kind: finding.Panic, Message: "no", Package: t.Package, Folder: t.Folder, Target: t.Func, Replays: 3, Repeats: 3,
	}}
}

// Terminal, plain output, JSON, API, metrics and report show the same numbers of a recorded campaign, also in a pause and at the end.
func TestAllScreensShowTheSameNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreens(t)
		s.send(event.Plan{Targets: []event.Subject{fuzzed, failing, aside, late}})
		s.send(event.Building{Packages: []string{late.Package}, Total: 4, Done: 3})
		s.send(event.Start{Module: "example.com/m", Targets: 4, Workers: 2, Seconds: 120})
		s.send(event.Turn{Subject: fuzzed, Slots: []int{0}}, event.Turn{Subject: failing, Slots: []int{1}}, event.WarmUp{Subject: fuzzed, Run: event.Run{WarmingUp: true}})
		s.send(event.Notice{What: event.Aside, Subject: aside, Text: "it does not build"})
		s.history.Results = append(s.history.Results, store.Result{Target: aside.Target(), Result: "unusable", Reason: "it does not build"})
		flaky, known := panicOf("3333333333333333", fuzzed), panicOf("4444444444444444", fuzzed)
		flaky.Flaky, known.Known = true, &event.Known{Reason: "old"}
		happens := map[int][]event.Event{
			7:  {event.WarmUp{Subject: failing, Run: event.Run{WarmingUp: true}}},
			12: {panicOf("1111111111111111", fuzzed)},
			13: {flaky, known},
			14: {panicOf("2222222222222222", fuzzed), event.Again{Subject: failing, ID: "2222222222222222", Result: event.Bug}},
			17: {event.Minimize{Subject: fuzzed, Size: 9}},
			19: {event.Cover{Subject: fuzzed, Reached: event.Reached{Covered: 4, Statements: 9}}},
			22: {event.Turn{Subject: failing, Slots: []int{1}, Over: true, Execs: 57 * 16, Turns: 1, Seconds: 22, Spent: 22, Next: 3, Low: 1, High: 9}},
			24: {event.Notice{What: event.Quiet, Subject: failing, Text: "nothing is expected"}},
		}
		moments := 0
		for second := 1; second <= 40; second++ {
			time.Sleep(time.Second)
			if second > 22 {
				s.send(event.Progress{Subject: fuzzed, Run: event.Run{Execs: uint64(1234 * second), Edges: 50, Entries: 5 + second}})
			} else {
				s.progress(second)
			}
			s.send(happens[second]...)
			if second == 19 {
				s.reached = event.Reached{Covered: 5, Statements: 11}
			}
			if second%5 == 0 {
				s.status(time.Duration(second)*time.Second, false)
				s.check(fmt.Sprintf("after %d s", second))
				moments++
			}
		}
		s.pause()
		s.end()
		if moments += 3; moments < 10 {
			t.Errorf("the numbers are compared at %d moments, want ten", moments)
		}
	})
}

// pause pauses the campaign for a minute behind its first 40 seconds.
func (s *screens) pause() {
	s.send(event.Turn{Subject: fuzzed, Slots: []int{0}, Over: true, Execs: 1234 * 40, Turns: 1, Seconds: 40, Spent: 40}, event.Notice{What: event.Paused, Text: "paused"})
	time.Sleep(30 * time.Second)
	s.status(40*time.Second, false)
	s.check("in the pause")
	time.Sleep(30 * time.Second)
	s.send(event.Notice{What: event.Resumed, Text: "resumed"}, event.Turn{Subject: fuzzed, Slots: []int{1}, Execs: 1234 * 40})
	time.Sleep(20 * time.Second)
	s.send(event.Progress{Subject: fuzzed, Run: event.Run{Execs: 1234 * 60, Edges: 50, Entries: 65}})
	s.status(60*time.Second, false)
	s.check("after the pause")
}

// end ends the campaign. A minute later the screens show the same.
func (s *screens) end() {
	s.send(event.Turn{Subject: fuzzed, Slots: []int{1}, Over: true, Execs: 1234 * 60, Turns: 2, Seconds: 60, Spent: 60})
	s.status(60*time.Second, true)
	s.history.Results = nil // the last ones replace earlier ones
	s.send(event.TargetEnd{Subject: fuzzed, Result: event.Bug, Seconds: 60, Turns: 2, Execs: 1234 * 60, Edges: 50, Entries: 65, Bugs: 2})
	s.send(event.TargetEnd{Subject: failing, Result: event.Fails, Reason: "go test fails", Seconds: 22, Turns: 1, Execs: 57 * 16, Edges: 9, Entries: 3, Bugs: 1})
	s.send(event.TargetEnd{Subject: aside, Result: event.Unusable, Reason: "it does not build"})
	s.send(event.TargetEnd{Subject: late, Result: event.Unreached, Reason: "the campaign ended before its first turn"})
	s.send(event.End{Seconds: 60, Targets: 4, Findings: 2})
	s.history.State, s.history.Campaign.Ended = summary.Ended, time.Now()
	time.Sleep(time.Minute)
	s.check("at the end")
	for _, row := range s.page().Targets {
		columns := regexp.MustCompile(`(?m)^ *\S+ +(\S+) +(\S+) +(\S+) +\S+ +(\S+) +\S+  ` + regexp.QuoteMeta("./"+row.Folder) + ` ` + row.Subject.Func).FindStringSubmatch(s.plain.String())
		want := []string{amount(row.Execs), fmt.Sprint(row.Edges), fmt.Sprint(row.Entries), fmt.Sprint(row.Bugs)}
		if columns == nil || !slices.Equal(columns[1:], want) {
			s.t.Errorf("the table says %q of %s, want %q:\n%s", columns, row.Subject.Func, want, s.plain.String())
		}
	}
}

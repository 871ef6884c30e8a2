// Package metrics shows the state of a campaign to Prometheus. [Metrics] computes it from the events of the campaign, and answers HTTP
// requests with it. docs/metrics.md lists the names.
package metrics

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// maxTargets is the number of targets that have series of their own: those that come first in the plan of the campaign. The totals count
// all targets.
const maxTargets = 1000

// Metrics is the state of a campaign as Prometheus sees it. Its methods may be called from any goroutine.
type Metrics struct {
	handler http.Handler

	mu       sync.Mutex
	start    event.Start
	started  bool
	status   event.Status
	building event.Building // of the test binaries that are fuzzed
	targets  []*target      // in the order of the plan
	byName   map[targetName]*target
	notices  map[event.NoticeKind]int
	gains    map[string]gain               // by technique
	findings map[outcome]map[string]string // kinds by ID
}

// targetName has the labels of a target. No two targets have the same.
type targetName struct{ pkg, name string }

// target is the state of one target.
type target struct {
	targetName
	reached event.Reached
	run     event.Run
	workers int       // that have a turn with the target
	spent   float64   // time of workers, in seconds
	edgeAt  time.Time // time of the last event with a larger number of edges; zero: there was none
	bugs    int       // findings that count
	begun   bool
	quiet   bool
	over    string // its final state; empty: it may get more turns
}

// gain is the number of new entries of a technique, and of the edges that they hit first.
type gain struct{ entries, edges int }

// outcome says whether a finding counts.
type outcome int

const (
	bug   outcome = iota // it counts
	flaky                // it is flaky or unproven
	known                // it is in the list of known findings
)

// New returns the metrics of a campaign that has published no event yet.
func New() *Metrics {
	m := &Metrics{
		byName: map[targetName]*target{}, notices: map[event.NoticeKind]int{}, gains: map[string]gain{},
		findings: map[outcome]map[string]string{bug: {}, flaky: {}, known: {}},
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m) // panics only if a name is wrong or used twice, and then in each test
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// ServeHTTP answers a request with the metrics in a format that Prometheus reads.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

// Event updates the metrics with an event.
func (m *Metrics) Event(s event.Stamped) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e := s.Event.(type) {
	case event.Plan:
		for _, t := range e.Targets {
			m.target(t)
		}
	case event.Building:
		if !e.Race && !e.Cover {
			m.building = e
		}
	case event.Start:
		m.start, m.started = e, true
		m.status.Left = e.Seconds
	case event.Status:
		m.status = e
	case event.Notice:
		m.notice(e)
	case event.Finding:
		m.finding(e)
	case event.Entry:
		name := cmp.Or(e.Technique, unknownTechnique)
		g := m.gains[name]
		m.gains[name] = gain{g.entries + 1, g.edges + e.Edges}
	case event.Cover:
		m.target(e.Target).reached = e.Reached
	case event.WarmUp:
		m.target(e.Target).progress(e.Run, s.At)
	case event.WarmedUp:
		m.target(e.Target).progress(e.Run, s.At)
	case event.Progress:
		t := m.target(e.Target)
		t.progress(e.Run, s.At)
		t.workers, t.spent = e.Workers, e.Spent
	case event.TargetEnd:
		m.targetEnd(e)
	}
}

// target returns the state of a target. It adds the target if it is new.
func (m *Metrics) target(name event.Target) *target {
	key := targetName{name.Package, name.Target}
	t := m.byName[key]
	if t == nil {
		t = &target{targetName: key}
		m.byName[key] = t
		m.targets = append(m.targets, t)
	}
	return t
}

// progress updates the target with the state of fuzzing it.
func (t *target) progress(run event.Run, at time.Time) {
	if run.Edges > t.run.Edges {
		t.edgeAt, t.quiet = at, false
	}
	t.run, t.begun = run, true
}

// notice counts a notice. Some notices change the state of a target.
func (m *Metrics) notice(e event.Notice) {
	m.notices[e.What]++
	if e.Target.Target == "" {
		return
	}
	switch t := m.target(e.Target); e.What {
	case event.Aside:
		t.over = stateAside
	case event.Skipped:
		t.over = stateSkipped
	case event.Quiet:
		t.quiet = true
	}
}

// finding counts a finding. It counts an ID once for each outcome.
func (m *Metrics) finding(e event.Finding) {
	what := bug
	switch {
	case e.IsKnown():
		what = known
	case !e.Counts():
		what = flaky
	}
	if _, ok := m.findings[what][e.ID]; ok {
		return
	}
	m.findings[what][e.ID] = e.Kind.String()
	if what == bug {
		m.target(event.Target{Package: e.Package, Target: e.Record.Target}).bugs++
	}
}

// targetEnd updates a target with its result.
func (m *Metrics) targetEnd(e event.TargetEnd) {
	t := m.target(e.Target)
	t.run.Execs, t.run.Edges, t.run.Entries, t.workers = e.Execs, e.Edges, e.Entries, 0
	if e.Statements > 0 {
		t.reached = e.Reached
	}
	if t.over == "" {
		t.over = stateEnded
	}
}

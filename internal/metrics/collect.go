package metrics

import (
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// The states of a target, in the label state.
const (
	stateWaiting  = "waiting"
	stateBuilding = "building"
	stateWarming  = "warming"
	stateFuzzing  = "fuzzing"
	statePaused   = "paused"
	stateQuiet    = "quiet"
	stateAside    = "aside"
	stateSkipped  = "skipped"
	stateEnded    = "ended"
)

var states = []string{
	stateWaiting, stateBuilding, stateWarming, stateFuzzing, statePaused, stateQuiet, stateAside, stateSkipped, stateEnded,
}

// unknownTechnique is the label technique of entries whose technique is not known.
const unknownTechnique = "unknown"

// family is the metrics of one name. collect yields the value of each series with the values of its labels. The caller holds the mutex of
// the Metrics.
type family struct {
	name, help string
	kind       prometheus.ValueType
	labels     []string
	collect    func(m *Metrics, yield func(value float64, labels ...string))

	desc *prometheus.Desc
}

// families are all metrics, in the order of docs/metrics.md.
var families = describe(slices.Concat(ofCampaign(), ofTechniques(), ofFindings(), ofTargets()))

// describe sets the descriptions of families.
func describe(list []family) []family {
	for i, f := range list {
		list[i].desc = prometheus.NewDesc(f.name, f.help, f.labels, nil)
	}
	return list
}

// number is a family with one series without labels. There is no series as long as ok is false.
func number(name, help string, kind prometheus.ValueType, value func(m *Metrics) (v float64, ok bool)) family {
	return family{name: name, help: help, kind: kind, collect: func(m *Metrics, yield func(float64, ...string)) {
		if v, ok := value(m); ok {
			yield(v)
		}
	}}
}

func ofCampaign() []family {
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	return []family{
		{
			name: "gnaw_campaign_info", help: "1, with the module of the campaign.", kind: gauge, labels: []string{"module"},
			collect: func(m *Metrics, yield func(float64, ...string)) {
				if m.started {
					yield(1, m.start.Module)
				}
			},
		},
		number("gnaw_fuzzing_seconds_total", "Time of fuzzing, including the time before the campaign was killed.", counter,
			func(m *Metrics) (float64, bool) { return m.status.Seconds, true }),
		number("gnaw_remaining_seconds", "Time of fuzzing that is left, if the campaign has a limit of time.", gauge,
			func(m *Metrics) (float64, bool) { return m.status.Left, m.start.Seconds > 0 }),
		number("gnaw_execs_total", "Executions of all targets.", counter,
			func(m *Metrics) (float64, bool) { return float64(m.status.Execs), true }),
		number("gnaw_edges", "Edges that inputs have hit, of all targets.", gauge,
			func(m *Metrics) (float64, bool) { return float64(m.status.Edges), true }),
		number("gnaw_entries", "Entries of the corpora of all targets.", gauge,
			func(m *Metrics) (float64, bool) { return float64(m.status.Entries), true }),
		number("gnaw_statements_covered", "Statements that entries reach. A statement counts once for all targets.", gauge,
			func(m *Metrics) (float64, bool) { return float64(m.status.Covered), m.status.Statements > 0 }),
		number("gnaw_statements", "Statements of the covered packages.", gauge,
			func(m *Metrics) (float64, bool) { return float64(m.status.Statements), m.status.Statements > 0 }),
		number("gnaw_builds", "Test binaries that the campaign builds.", gauge,
			func(m *Metrics) (float64, bool) { return float64(m.building.Total), true }),
		number("gnaw_builds_done", "Test binaries whose builds have ended, including those that failed.", gauge,
			func(m *Metrics) (float64, bool) { return float64(m.building.Done), true }),
		number("gnaw_workers", "Worker processes of the campaign.", gauge,
			func(m *Metrics) (float64, bool) { return float64(m.start.Workers), true }),
		number("gnaw_worker_busy_ratio", "Share of the workers that have a turn, from 0 to 1.", gauge, (*Metrics).busy),
		{
			name: "gnaw_targets", help: "Targets in each state.", kind: gauge, labels: []string{"state"},
			collect: func(m *Metrics, yield func(float64, ...string)) {
				count := map[string]int{}
				for _, t := range m.targets {
					count[m.state(t)]++
				}
				for _, s := range states {
					yield(float64(count[s]), s)
				}
			},
		},
		{
			name: "gnaw_notices_total", help: "Notices of each kind.", kind: counter, labels: []string{"kind"},
			collect: func(m *Metrics, yield func(float64, ...string)) {
				for _, kind := range event.NoticeKinds() {
					yield(float64(m.notices[kind]), string(kind))
				}
			},
		},
	}
}

// ofTechniques returns the metrics of techniques. Only the techniques that brought an entry have series; the engine has about thirty.
func ofTechniques() []family {
	of := func(name, help string, value func(g gain) int) family {
		return family{
			name: name, help: help, kind: prometheus.CounterValue, labels: []string{"technique"},
			collect: func(m *Metrics, yield func(float64, ...string)) {
				for name, g := range m.gains {
					yield(float64(value(g)), name)
				}
			},
		}
	}
	return []family{
		of("gnaw_new_entries_total", "New entries, by the technique that made their inputs.", func(g gain) int { return g.entries }),
		of("gnaw_new_edges_total", "Edges that new entries hit for the first time, by the technique that made their inputs.", func(g gain) int { return g.edges }),
	}
}

// busy returns the share of the workers that have a turn.
func (m *Metrics) busy() (ratio float64, ok bool) {
	busy := 0
	for _, t := range m.targets {
		busy += t.workers
	}
	if m.start.Workers == 0 {
		return 0, false
	}
	return min(1, float64(busy)/float64(m.start.Workers)), true
}

// state returns the state of a target.
func (m *Metrics) state(t *target) string {
	switch {
	case t.over != "":
		return t.over
	case !t.begun && slices.Contains(m.building.Packages, t.pkg):
		return stateBuilding
	case !t.begun:
		return stateWaiting
	case t.workers > 0 && t.run.WarmingUp:
		return stateWarming
	case t.workers > 0:
		return stateFuzzing
	case t.quiet:
		return stateQuiet
	}
	return statePaused
}

func ofFindings() []family {
	of := func(name, help string, what outcome) family {
		return family{
			name: name, help: help, kind: prometheus.CounterValue, labels: []string{"kind"},
			collect: func(m *Metrics, yield func(float64, ...string)) {
				count := map[string]int{}
				for _, kind := range m.findings[what] {
					count[kind]++
				}
				for _, kind := range finding.Kinds() {
					yield(float64(count[kind.String()]), kind.String())
				}
			},
		}
	}
	return []family{
		of("gnaw_findings_total", "Findings that count, by kind.", bug),
		of("gnaw_flaky_findings_total", "Findings that do not count because they are flaky or unproven, by kind.", flaky),
		of("gnaw_known_findings_total", "Findings that do not count because they are known, by kind.", known),
	}
}

func ofTargets() []family {
	of := func(name, help string, kind prometheus.ValueType, value func(t *target) (float64, bool)) family {
		return family{
			name: name, help: help, kind: kind, labels: []string{"package", "target"},
			collect: func(m *Metrics, yield func(float64, ...string)) {
				for _, t := range m.targets[:min(maxTargets, len(m.targets))] {
					if v, ok := value(t); ok {
						yield(v, t.pkg, t.name)
					}
				}
			},
		}
	}
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	return []family{
		of("gnaw_target_execs_total", "Executions of the target.", counter,
			func(t *target) (float64, bool) { return float64(t.run.Execs), true }),
		of("gnaw_target_edges", "Edges that inputs of the target have hit.", gauge,
			func(t *target) (float64, bool) { return float64(t.run.Edges), true }),
		of("gnaw_target_entries", "Entries of the corpus of the target.", gauge,
			func(t *target) (float64, bool) { return float64(t.run.Entries), true }),
		of("gnaw_target_statements_covered", "Statements that entries of the target reach.", gauge,
			func(t *target) (float64, bool) { return float64(t.reached.Covered), t.reached.Statements > 0 }),
		of("gnaw_target_statements", "Statements of the packages that are covered for the target.", gauge,
			func(t *target) (float64, bool) { return float64(t.reached.Statements), t.reached.Statements > 0 }),
		of("gnaw_target_findings_total", "Findings of the target that count.", counter,
			func(t *target) (float64, bool) { return float64(t.bugs), true }),
		of("gnaw_target_workers", "Workers that have a turn with the target.", gauge,
			func(t *target) (float64, bool) { return float64(t.workers), true }),
		of("gnaw_target_worker_seconds_total", "Time of workers in the finished turns of the target.", counter,
			func(t *target) (float64, bool) { return t.spent, true }),
		of("gnaw_target_rerun_entries_total", "Executions of entries of the target by workers that had executed other inputs before.", counter,
			func(t *target) (float64, bool) { return float64(t.run.Rerun), true }),
		of("gnaw_target_repeated_entries_total", "Executions in gnaw_target_rerun_entries_total in which the entry showed all features that it is kept for.", counter,
			func(t *target) (float64, bool) { return float64(t.run.Repeated), true }),
		of("gnaw_target_last_new_edge_timestamp_seconds", "Time of the last new edge of the target, in seconds since 1970.", gauge,
			func(t *target) (float64, bool) { return float64(t.edgeAt.UnixMilli()) / 1000, !t.edgeAt.IsZero() }),
	}
}

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	for _, f := range families {
		to <- f.desc
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range families {
		f.collect(m, func(value float64, labels ...string) {
			for i, text := range labels {
				labels[i] = strings.ToValidUTF8(text, "\uFFFD") // Prometheus accepts no other text
			}
			to <- prometheus.MustNewConstMetric(f.desc, f.kind, value, labels...)
		})
	}
}

package metrics

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// stateLabel returns the value of the label state for a phase.
func stateLabel(p board.Phase) string {
	if p == board.Aside {
		return "aside" // the label has no space
	}
	return string(p)
}

// unknownTechnique is the label technique of entries whose technique is not known.
const unknownTechnique = "unknown"

// family is the metrics of one name. collect yields the value of each series with the values of its labels.
type family struct {
	name, help string
	kind       prometheus.ValueType
	labels     []string
	collect    func(s *board.State, yield func(value float64, labels ...string))

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
func number(name, help string, kind prometheus.ValueType, value func(s *board.State) (v float64, ok bool)) family {
	return family{name: name, help: help, kind: kind, collect: func(s *board.State, yield func(float64, ...string)) {
		if v, ok := value(s); ok {
			yield(v)
		}
	}}
}

func ofCampaign() []family {
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	return []family{
		{
			name: "gnaw_campaign_info", help: "1, with the module of the campaign.", kind: gauge, labels: []string{"module"},
			collect: func(s *board.State, yield func(float64, ...string)) {
				if s.Started {
					yield(1, s.Start.Module)
				}
			},
		},
		number("gnaw_fuzzing_seconds_total", "Time of fuzzing, including the time before the campaign was killed.", counter,
			func(s *board.State) (float64, bool) { return s.Elapsed().Seconds(), true }),
		number("gnaw_remaining_seconds", "Time of fuzzing that is left, if the campaign has a limit of time.", gauge,
			func(s *board.State) (float64, bool) { left, ok := s.Remaining(); return left.Seconds(), ok }),
		number("gnaw_execs_total", "Executions of all targets.", counter,
			func(s *board.State) (float64, bool) { return float64(s.Totals().Execs), true }),
		number("gnaw_edges", "Edges that inputs have hit, of all targets.", gauge,
			func(s *board.State) (float64, bool) { return float64(s.Totals().Edges), true }),
		number("gnaw_entries", "Entries of the corpora of all targets.", gauge,
			func(s *board.State) (float64, bool) { return float64(s.Totals().Entries), true }),
		number("gnaw_statements_covered", "Statements that entries reach. A statement counts once for all targets.", gauge,
			func(s *board.State) (float64, bool) { return float64(s.Reached.Covered), s.Reached.Statements > 0 }),
		number("gnaw_statements", "Statements of the covered packages.", gauge,
			func(s *board.State) (float64, bool) { return float64(s.Reached.Statements), s.Reached.Statements > 0 }),
		number("gnaw_builds", "Test binaries that the campaign builds.", gauge,
			func(s *board.State) (float64, bool) { return float64(s.Builds[0].Total), true }),
		number("gnaw_builds_done", "Test binaries whose builds have ended, including those that failed.", gauge,
			func(s *board.State) (float64, bool) { return float64(s.Builds[0].Done), true }),
		number("gnaw_workers", "Worker processes of the campaign.", gauge,
			func(s *board.State) (float64, bool) { return float64(s.Start.Workers), true }),
		number("gnaw_worker_busy_ratio", "Share of the workers that have a turn, from 0 to 1.", gauge, busy),
		{
			name: "gnaw_targets", help: "Targets in each state.", kind: gauge, labels: []string{"state"},
			collect: func(s *board.State, yield func(float64, ...string)) {
				count := map[board.Phase]int{}
				for _, t := range s.Targets {
					count[s.Phase(t)]++
				}
				for _, p := range board.Phases {
					yield(float64(count[p]), stateLabel(p))
				}
			},
		},
		{
			name: "gnaw_notices_total", help: "Notices of each kind.", kind: counter, labels: []string{"kind"},
			collect: func(s *board.State, yield func(float64, ...string)) {
				for _, kind := range event.NoticeKinds() {
					yield(float64(s.Notices[kind]), string(kind))
				}
			},
		},
	}
}

// ofTechniques returns the metrics of techniques. Only the techniques that brought an entry have series; the engine has about thirty.
func ofTechniques() []family {
	of := func(name, help string, value func(g board.Gain) int) family {
		return family{
			name: name, help: help, kind: prometheus.CounterValue, labels: []string{"technique"},
			collect: func(s *board.State, yield func(float64, ...string)) {
				for name, g := range s.Gains {
					yield(float64(value(g)), cmp.Or(name, unknownTechnique))
				}
			},
		}
	}
	return []family{
		of("gnaw_new_entries_total", "New entries, by the technique that made their inputs.", func(g board.Gain) int { return g.Entries }),
		of("gnaw_new_edges_total", "Edges that new entries hit for the first time, by the technique that made their inputs.", func(g board.Gain) int { return g.Edges }),
	}
}

// busy returns the share of the workers that have a turn.
func busy(s *board.State) (ratio float64, ok bool) {
	if s.Start.Workers == 0 {
		return 0, false
	}
	return float64(s.Totals().Busy) / float64(s.Start.Workers), true
}

func ofFindings() []family {
	of := func(name, help string, what board.Outcome) family {
		return family{
			name: name, help: help, kind: prometheus.CounterValue, labels: []string{"kind"},
			collect: func(s *board.State, yield func(float64, ...string)) {
				for _, kind := range finding.Kinds() {
					yield(float64(s.Kinds[what][kind.String()]), kind.String())
				}
			},
		}
	}
	return []family{
		of("gnaw_findings_total", "Findings that count, by kind.", board.Bug),
		of("gnaw_flaky_findings_total", "Findings that do not count because they are flaky or unproven, by kind.", board.Flaky),
		of("gnaw_known_findings_total", "Findings that do not count because they are known, by kind.", board.Known),
	}
}

func ofTargets() []family {
	of := func(name, help string, kind prometheus.ValueType, value func(t *board.TargetState) (float64, bool)) family {
		return family{
			name: name, help: help, kind: kind, labels: []string{"package", "target"},
			collect: func(s *board.State, yield func(float64, ...string)) {
				for _, t := range s.Targets[:min(maxTargets, len(s.Targets))] {
					if v, ok := value(t); ok {
						yield(v, t.Package, t.Subject.Func)
					}
				}
			},
		}
	}
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	return []family{
		of("gnaw_target_execs_total", "Executions of the target.", counter,
			func(t *board.TargetState) (float64, bool) { return float64(t.Run.Execs), true }),
		of("gnaw_target_edges", "Edges that inputs of the target have hit.", gauge,
			func(t *board.TargetState) (float64, bool) { return float64(t.Run.Edges), true }),
		of("gnaw_target_entries", "Entries of the corpus of the target.", gauge,
			func(t *board.TargetState) (float64, bool) { return float64(t.Run.Entries), true }),
		of("gnaw_target_statements_covered", "Statements that entries of the target reach.", gauge,
			func(t *board.TargetState) (float64, bool) {
				return float64(t.Reached.Covered), t.Reached.Statements > 0
			}),
		of("gnaw_target_statements", "Statements of the packages that are covered for the target.", gauge,
			func(t *board.TargetState) (float64, bool) {
				return float64(t.Reached.Statements), t.Reached.Statements > 0
			}),
		of("gnaw_target_findings_total", "Findings of the target that count.", counter,
			func(t *board.TargetState) (float64, bool) { return float64(t.Bugs), true }),
		of("gnaw_target_workers", "Workers that have a turn with the target.", gauge,
			func(t *board.TargetState) (float64, bool) { return float64(t.Workers), true }),
		of("gnaw_target_worker_seconds_total", "Time of workers in the finished turns of the target.", counter,
			func(t *board.TargetState) (float64, bool) { return t.Spent, true }),
		of("gnaw_target_rerun_entries_total", "Executions of entries of the target by workers that had executed other inputs before.", counter,
			func(t *board.TargetState) (float64, bool) { return float64(t.Run.Rerun), true }),
		of("gnaw_target_repeated_entries_total", "Executions in gnaw_target_rerun_entries_total in which the entry showed all features that it is kept for.", counter,
			func(t *board.TargetState) (float64, bool) { return float64(t.Run.Repeated), true }),
		of("gnaw_target_last_new_edge_timestamp_seconds", "Time of the last new edge of the target, in seconds since 1970.", gauge,
			func(t *board.TargetState) (float64, bool) {
				return float64(t.EdgeAt.UnixMilli()) / 1000, !t.EdgeAt.IsZero()
			}),
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
	var list []prometheus.Metric
	m.board.Read(m.now(), func(s *board.State) {
		for _, f := range families {
			f.collect(s, func(value float64, labels ...string) {
				for i, text := range labels {
					labels[i] = strings.ToValidUTF8(text, "\uFFFD") // Prometheus accepts no other text
				}
				list = append(list, prometheus.MustNewConstMetric(f.desc, f.kind, value, labels...))
			})
		}
	})
	for _, one := range list {
		to <- one // not under the lock of the board, because it waits
	}
}

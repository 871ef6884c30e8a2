package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Limits of the lists, so that a campaign of days needs no more memory than one of an hour.
const (
	maxEntries  = 32   // latest entries of a target
	maxNotices  = 8    // latest notices about a target
	maxFindings = 1000 // latest findings of the campaign
)

// state is the state of a campaign. It depends on the events and on now only.
type state struct {
	name     func(event.Target) string // returns a target as a person would type it
	module   string
	origin   time.Time // the time at which fuzzing began; before that, the time of the first event
	now      time.Time // the time of the latest event, or later
	start    event.Start
	started  bool
	stopping bool
	status   event.Status
	statusAt time.Time
	building [3]event.Building // by kind
	targets  []*target
	byName   map[event.Target]*target
	spent    float64 // time of workers for all targets, in seconds
	findings []event.Finding
	lost     int    // findings that were removed from the list
	sum      int    // edges of all targets
	edges    series // of all targets
}

// target is the state of one target.
type target struct {
	event.Target
	name    string
	index   int // position in the plan of the campaign
	phase   phase
	quiet   bool
	reason  string // why gnaw has set it aside, or why it is skipped
	loading event.Loading
	run     event.Run
	at      time.Time // of run
	rate    float64   // executions per second
	spent   float64   // time of workers, in seconds
	bugs    int
	flaky   int
	known   int
	edges   series
	reached event.Reached
	gains   map[string]gain // of new entries, by the technique that made them
	entries []entry         // the latest one first
	notices []string        // the latest one first
	result  event.Result
}

// gain is the number of new entries of a technique, and of the edges that they hit first.
type gain struct{ entries, edges int }

// entry is a new entry of a target.
type entry struct {
	event.Entry
	at time.Time
}

// phase says what gnaw does with a target.
type phase int

// The phases, in the order of the list when the user sorts it by state.
const (
	fuzzing phase = iota
	minimizing
	warming
	loading
	building
	paused // between two turns
	waiting
	quiet
	aside
	skipped
	ended
)

func (p phase) String() string {
	return [...]string{"fuzzing", "minimizing", "warming", "loading", "building", "paused", "waiting", "quiet", "set aside", "skipped", "ended"}[p]
}

func newState(module string, name func(event.Target) string) *state {
	return &state{module: module, name: name, byName: map[event.Target]*target{}}
}

// apply updates the state with an event.
func (s *state) apply(e event.Stamped) {
	if s.origin.IsZero() {
		s.origin = e.At
	}
	if e.At.After(s.now) {
		s.now = e.At
	}
	switch e := e.Event.(type) {
	case event.Plan:
		for _, t := range e.Targets {
			s.target(t)
		}
	case event.Building:
		s.building[kind(e)] = e
	case event.Start:
		s.start, s.started, s.origin = e, true, s.now
		s.status, s.statusAt = event.Status{Targets: e.Targets, Left: e.Seconds}, s.now
	case event.Status:
		s.status, s.statusAt = e, s.now
	case event.Notice:
		s.notice(e)
	case event.Finding:
		s.finding(e)
	default:
		s.applyToTarget(e)
	}
}

// kind returns the index of builds in the field building: 0 for those that are fuzzed.
func kind(e event.Building) int {
	switch {
	case e.Race:
		return 1
	case e.Cover:
		return 2
	}
	return 0
}

// applyToTarget updates the state of a target with an event about it.
func (s *state) applyToTarget(e event.Event) {
	switch e := e.(type) {
	case event.Loading:
		t := s.target(e.Target)
		t.phase, t.loading = loading, e
	case event.WarmUp:
		s.progress(e.Target, e.Run)
	case event.WarmedUp:
		s.progress(e.Target, e.Run)
	case event.Progress:
		t := s.progress(e.Target, e.Run)
		s.spent += e.Spent - t.spent
		t.spent = e.Spent
	case event.Entry:
		t := s.target(e.Target)
		t.entries = prepend(t.entries, entry{e, s.now}, maxEntries)
		t.quiet = t.quiet && e.Edges == 0
		t.gain(e)
	case event.Cover:
		s.target(e.Target).reached = e.Reached
	case event.Minimize:
		s.target(e.Target).phase = minimizing
	case event.TargetEnd:
		t := s.target(e.Target)
		t.run.Execs, t.run.Edges, t.run.Entries, t.run.New, t.run.Workers = e.Execs, e.Edges, e.Entries, e.New, 0
		t.phase, t.result, t.bugs, t.rate, t.reached = ended, e.Result, e.Bugs, 0, e.Reached
		if t.reason == "" {
			t.reason = e.Reason
		}
	}
}

// gain counts a new entry for the technique that made it.
func (t *target) gain(e event.Entry) {
	if t.gains == nil {
		t.gains = map[string]gain{}
	}
	g := t.gains[e.Technique]
	g.entries++
	g.edges += e.Edges
	t.gains[e.Technique] = g
}

// target returns the state of a target. It adds the target if the state does not have it.
func (s *state) target(name event.Target) *target {
	t := s.byName[name]
	if t == nil {
		t = &target{Target: name, name: s.name(name), index: len(s.targets), phase: waiting}
		s.byName[name] = t
		s.targets = append(s.targets, t)
	}
	return t
}

// progress updates a target with its progress.
func (s *state) progress(name event.Target, run event.Run) *target {
	t := s.target(name)
	t.rate = 0
	if passed := s.now.Sub(t.at).Seconds(); run.Workers > 0 && !t.at.IsZero() && passed > 0 && run.Execs >= t.run.Execs {
		t.rate = float64(run.Execs-t.run.Execs) / passed
	}
	s.sum += run.Edges - t.run.Edges
	t.run, t.at = run, s.now
	switch {
	case t.phase == aside || t.phase == skipped || t.phase == ended:
	case run.Workers == 0:
		t.phase = paused
	case run.Minimizing:
		t.phase = minimizing
	case run.WarmingUp:
		t.phase = warming
	default:
		t.phase = fuzzing
	}
	t.edges.add(s.now.Sub(s.origin), run.Edges)
	s.edges.add(s.now.Sub(s.origin), s.sum)
	return t
}

// notice adds a notice to its target.
func (s *state) notice(e event.Notice) {
	if e.Target.Target == "" {
		return // the log has it
	}
	t := s.target(e.Target)
	switch e.What {
	case event.Aside:
		t.phase, t.reason, t.rate = aside, e.Text, 0
	case event.Skipped:
		t.phase, t.reason, t.rate = skipped, e.Text, 0
	case event.Quiet:
		t.quiet = true
	}
	first, _, _ := strings.Cut(e.Text, "\n")
	t.notices = prepend(t.notices, string(e.What)+": "+first, maxNotices)
}

// finding adds a finding. It replaces an earlier one with the same ID, which was flaky.
func (s *state) finding(e event.Finding) {
	for i := range s.findings {
		if s.findings[i].ID == e.ID {
			*s.counter(s.findings[i])--
			s.findings = slices.Delete(s.findings, i, i+1)
			break
		}
	}
	s.findings = append(s.findings, e)
	if len(s.findings) > maxFindings {
		const n = maxFindings / 10 // many at once, because Delete moves all others
		s.findings = slices.Delete(s.findings, 0, n)
		s.lost += n
	}
	*s.counter(e)++
}

// counter returns the counter of a target that counts e: that of bugs, of flaky or of known findings.
func (s *state) counter(e event.Finding) *int {
	t := s.target(targetOf(e))
	switch {
	case e.IsKnown():
		return &t.known
	case e.Flaky || !e.Counts():
		return &t.flaky
	}
	return &t.bugs
}

func targetOf(e event.Finding) event.Target {
	return event.Target{Package: e.Package, Folder: e.Folder, Target: e.Record.Target}
}

// prepend puts a value in front of a list and keeps the first limit values.
func prepend[T any](list []T, value T, limit int) []T {
	list = slices.Insert(list, 0, value)
	return list[:min(len(list), limit)]
}

// shown returns the phase that the interface shows: building in place of waiting, and quiet in place of paused, if the target is so.
func (s *state) shown(t *target) phase {
	switch {
	case t.phase == waiting && slices.Contains(s.building[0].Packages, t.Package):
		return building
	case t.phase == paused && t.quiet:
		return quiet
	}
	return t.phase
}

// share returns the part of the time of all workers that the target got, from 0 to 1.
func (s *state) share(t *target) float64 {
	if s.spent <= 0 {
		return 0
	}
	return t.spent / s.spent
}

// elapsed returns how long the campaign has fuzzed.
func (s *state) elapsed() time.Duration {
	if !s.started || s.status.Last {
		return time.Duration(s.status.Seconds * float64(time.Second))
	}
	return time.Duration(s.status.Seconds*float64(time.Second)) + s.now.Sub(s.statusAt)
}

// remaining returns the time that is left; ok is false if there is no limit.
func (s *state) remaining() (d time.Duration, ok bool) {
	if s.start.Seconds <= 0 {
		return 0, false
	}
	return max(0, time.Duration(s.status.Left*float64(time.Second))-s.now.Sub(s.statusAt)), true
}

// totals are sums over all targets.
type totals struct {
	rate                        float64
	execs                       uint64
	edges, entries, bugs, flaky int
	workers                     int // that fuzz a target
	begun                       int // targets that have had a turn
}

// totals adds up the numbers of all targets.
func (s *state) totals() (sum totals) {
	for _, t := range s.targets {
		sum.rate += t.rate
		sum.execs += t.run.Execs
		sum.edges += t.run.Edges
		sum.entries += t.run.Entries
		sum.bugs += t.bugs
		sum.flaky += t.flaky
		sum.workers += t.run.Workers
		if !t.at.IsZero() {
			sum.begun++
		}
	}
	return sum
}

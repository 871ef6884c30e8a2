package board

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// State is the state of a campaign. It depends on its events and on Now only. The lists have limits, so that a campaign of days needs no more
// memory than one of an hour.
type State struct {
	Now      time.Time // of the latest event, or later
	Origin   time.Time // when fuzzing began; before that, the time of the first event
	Start    event.Start
	Started  bool // fuzzing has begun
	Paused   bool // no turn runs, and the time stands still
	Last     bool // fuzzing is over
	End      *event.End
	Targets  []*TargetState             // in the order of the plan
	Findings []event.Finding            // the latest ones, the latest one last
	Lost     int                        // findings that are no longer in Findings
	Kinds    map[Outcome]map[string]int // numbers of findings by kind
	Notices  map[event.NoticeKind]int
	Gains    map[string]Gain // of new entries of all targets, by technique
	Edges    Series          // of all targets
	Reached  event.Reached   // by entries of all targets

	// Builds are the builds of test binaries that are fuzzed, of those with the race detector, and of those with counters for statements.
	Builds [3]event.Building

	counts  Counts // of findings, each ID once
	byName  map[fuzz.Name]*TargetState
	workers []worker // by number
	spent   float64  // time of workers for all targets, in seconds
	sum     int      // edges of all targets
	clock   clock
}

// worker is what a worker of the pool does.
type worker struct {
	target *TargetState // nil: it is idle
	since  time.Time
}

// NewState returns the state of a campaign that has published no event yet.
func NewState() *State {
	return &State{
		byName: map[fuzz.Name]*TargetState{}, Notices: map[event.NoticeKind]int{}, Gains: map[string]Gain{},
		Kinds: map[Outcome]map[string]int{Bug: {}, Flaky: {}, Known: {}},
	}
}

// Advance sets Now, unless it is later already.
func (s *State) Advance(now time.Time) {
	if now.After(s.Now) {
		s.Now = now
	}
}

// Apply updates the state with an event.
func (s *State) Apply(e event.Stamped) {
	if s.Origin.IsZero() {
		s.Origin = e.At
	}
	s.Advance(e.At)
	switch e := e.Event.(type) {
	case event.Plan:
		for _, t := range e.Targets {
			s.add(t)
		}
	case event.Building:
		s.Builds[kind(e)] = e
	case event.Start:
		s.Start, s.Started, s.Origin = e, true, s.Now
		s.workers = make([]worker, e.Workers)
		s.clock = clock{at: s.Now, spent: e.Spent, left: e.Seconds, runs: true}
	case event.Status:
		s.clock.spent, s.clock.left, s.clock.at = e.Seconds, e.Left, s.Now
		s.Reached = e.Reached
		if e.Last {
			s.Last, s.clock.runs = true, false
		}
	case event.Notice:
		s.notice(e)
	case event.Finding:
		s.finding(e)
	case event.End:
		s.End, s.Last, s.clock.runs = &e, true, false
	default:
		s.applyToTarget(e)
	}
}

// kind returns the index of builds in Builds.
func kind(e event.Building) int {
	switch {
	case e.Race:
		return 1
	case e.Cover:
		return 2
	}
	return 0
}

// add returns a target. It adds the target if the state does not have it.
func (s *State) add(subject event.Subject) *TargetState {
	t := s.Find(subject.Target())
	if t == nil {
		t = &TargetState{Subject: subject, Index: len(s.Targets)}
		s.byName[subject.Target()] = t
		s.Targets = append(s.Targets, t)
	}
	return t
}

// Find returns the target with a name; nil: there is none.
func (s *State) Find(name fuzz.Name) *TargetState {
	return s.byName[name]
}

// clock is the time of fuzzing.
type clock struct {
	at          time.Time // at which spent and left were right
	spent, left float64   // seconds
	runs        bool
}

// passed returns the time since at, if the clock runs.
func (c clock) passed(now time.Time) time.Duration {
	if !c.runs {
		return 0
	}
	return max(0, now.Sub(c.at))
}

// stop makes the clock stand still, or go on.
func (c *clock) stop(now time.Time, stop bool) {
	passed := c.passed(now).Seconds()
	c.spent, c.left = c.spent+passed, max(0, c.left-passed)
	c.at, c.runs = now, !stop
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Elapsed returns how long the campaign has fuzzed.
func (s *State) Elapsed() time.Duration { return seconds(s.clock.spent) + s.clock.passed(s.Now) }

// Remaining returns the time of fuzzing that is left; ok is false if there is no limit.
func (s *State) Remaining() (d time.Duration, ok bool) {
	return max(0, seconds(s.clock.left)-s.clock.passed(s.Now)), s.Start.Seconds > 0
}

// Doing says what the campaign does: building, fuzzing, paused or ended.
func (s *State) Doing() Phase {
	switch {
	case s.Last:
		return Ended
	case s.Paused:
		return Paused
	case s.Started:
		return Fuzzing
	}
	return Building
}

// Totals are sums over all targets.
type Totals struct {
	Execs          uint64
	Edges, Entries int
	Begun          int
	Busy           int // workers that have a turn
	Counts             // of findings, each ID once
	Rate           float64
}

// Totals returns the totals.
func (s *State) Totals() (sum Totals) {
	sum.Counts = s.counts
	for _, t := range s.Targets {
		sum.Execs += t.Run.Execs
		sum.Edges += t.Run.Edges
		sum.Entries += t.Run.Entries
		sum.Busy += t.Workers
		sum.Rate += s.lately(t)
		if t.Begun {
			sum.Begun++
		}
	}
	if s.Last {
		sum.Rate = mean(sum.Execs, s.clock.spent)
	}
	return sum
}

// mean returns executions per second; 0: there was no time.
func mean(execs uint64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(execs) / seconds
}

// lately returns the executions per second of a target by the clock.
func (s *State) lately(t *TargetState) float64 {
	return t.rate.now(s.Now, t.Workers > 0) * young(s.Now.Sub(s.Origin))
}

// Status returns the totals as an event. spent is the time of fuzzing, and last says that fuzzing is over. Only the campaign knows the executions
// of its process.
func (s *State) Status(spent time.Duration, last bool) event.Status {
	t := s.Totals()
	left, _ := s.Remaining()
	if last {
		t.Rate = mean(t.Execs, spent.Seconds())
	}
	return event.Status{
		Seconds: spent.Seconds(), Begun: t.Begun, Targets: len(s.Targets), Execs: t.Execs, Rate: t.Rate, Edges: t.Edges, Entries: t.Entries,
		Findings: t.Bugs, Left: left.Seconds(), Last: last, Reached: s.Reached,
	}
}

// Snapshot returns the state at Now as plain data: the targets, workers and totals, and whether the campaign is paused.
func (s *State) Snapshot() event.Snapshot {
	n := event.Snapshot{At: s.Now.UTC(), Module: s.Start.Module, Paused: s.Paused, Totals: s.Status(s.Elapsed(), s.Last), Findings: slices.Clone(s.Findings)}
	for _, t := range s.Targets {
		n.Targets = append(n.Targets, s.describe(t))
	}
	for i, w := range s.workers {
		one := event.WorkerState{Number: i, Doing: event.Idle}
		if w.target != nil {
			one.Target, one.Doing = w.target.Subject, w.target.doing()
		}
		if !w.since.IsZero() {
			one.Since = s.Now.Sub(w.since).Seconds()
		}
		n.Workers = append(n.Workers, one)
	}
	return n
}

// occupy notes that workers begin or end a turn with a target. At the end it leaves out those that already fuzz another one.
func (s *State) occupy(t *TargetState, e event.Turn) {
	for _, i := range e.Slots {
		for i >= len(s.workers) {
			s.workers = append(s.workers, worker{})
		}
		switch w := &s.workers[i]; {
		case !e.Over && w.target != t:
			if w.target != nil {
				w.target.Workers--
			}
			*w = worker{t, s.Now}
			t.Workers++
		case e.Over && w.target == t:
			*w = worker{nil, s.Now}
			t.Workers--
		}
	}
}

// prepend puts a value in front of a list and keeps the first limit values.
func prepend[T any](list []T, value T, limit int) []T {
	list = slices.Insert(list, 0, value)
	return list[:min(len(list), limit)]
}

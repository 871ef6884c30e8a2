package board

import (
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Limits of the lists of a target.
const (
	maxEntries = 32 // latest entries
	maxNotices = 8  // latest notices
)

// TargetState is the state of one target.
type TargetState struct {
	event.Subject
	Index   int // position in the plan of the campaign
	Run     event.Run
	Begun   bool    // a process of it has reached F.Fuzz
	Workers int     // that have a turn with it
	Turns   int     // that are over
	Seconds float64 // of these turns
	Spent   float64 // of workers in these turns
	Loading event.Loading
	Reached event.Reached // statements that its entries reach; no statements: they were not counted yet
	EdgeAt  time.Time     // of the last new edge; zero: unknown
	Counts                // of findings that it shows
	Edges   Series
	Gains   map[string]Gain // of new entries, by the technique that made them
	Entries []Entry         // the latest one first
	Notices []string        // the latest one first

	result event.Result // empty: none yet but by its findings
	reason string       // of result
	ended  bool         // result is final
	done   bool         // it gets no more turns
	quiet  bool         // no new edge is expected
	warm   bool         // its corpus is loaded
	next   [3]float64   // estimate of the time to the next edge, with its percentiles
	rate   decay
	seenAt time.Time // of the latest point in the history
}

// Gain is the number of new entries, and of the edges that they hit first.
type Gain struct{ Entries, Edges int }

// add adds an entry.
func (g Gain) add(e event.Entry) Gain { return Gain{g.Entries + 1, g.Edges + e.Edges} }

// Entry is a new entry of a target.
type Entry struct {
	event.Entry
	At time.Time
}

// Phase says in a word what gnaw does with a target, or why it does nothing with it.
type Phase string

// The phases.
const (
	Fuzzing    Phase = "fuzzing"
	Minimizing Phase = "minimizing" // a worker minimizes a failing input
	Warming    Phase = "warming"    // the seeds and cached entries are executed
	Loading    Phase = "loading"    // the corpus cache is read
	Starting   Phase = "starting"   // it has a turn, and no process of it has reached F.Fuzz
	Building   Phase = "building"   // its test binary is built
	Paused     Phase = "paused"     // between two turns
	Waiting    Phase = "waiting"    // for its first turn
	Quiet      Phase = "quiet"      // as Paused, and no new edge is expected
	Aside      Phase = "set aside"  // it cannot be fuzzed
	Skipped    Phase = "skipped"    // it calls f.Skip
	Fails      Phase = "fails"      // plain go test of it fails, and no finding is the reason
	Unreached  Phase = "unreached"  // the campaign ended before all its seeds were executed
	Ended      Phase = "ended"      // it gets no more turns
)

// Phases are all phases. Those in which workers are busy come first.
var Phases = []Phase{Fuzzing, Minimizing, Warming, Loading, Starting, Building, Paused, Waiting, Quiet, Aside, Skipped, Fails, Unreached, Ended}

// ofResult returns the phase of a target with a final result. ok is false if the result says only what was found.
func ofResult(r event.Result) (p Phase, ok bool) {
	p, ok = map[event.Result]Phase{event.Skip: Skipped, event.Unusable: Aside, event.Fails: Fails, event.Unreached: Unreached}[r]
	return p, ok
}

// Phase returns the phase of a target.
func (s *State) Phase(t *TargetState) Phase {
	if p, ok := ofResult(t.result); ok {
		return p
	}
	switch {
	case t.ended, t.done && t.Workers == 0:
		return Ended
	case t.Workers > 0 && t.Run.Minimizing:
		return Minimizing
	case t.Workers > 0 && t.Loading.Total > 0 && !t.warm:
		return Loading
	case t.Workers > 0 && !t.warm && !t.Begun:
		return Starting
	case t.Workers > 0 && t.Run.WarmingUp:
		return Warming
	case t.Workers > 0:
		return Fuzzing
	case t.quiet:
		return Quiet
	case t.Begun, t.Turns > 0:
		return Paused
	case slices.Contains(s.Builds[0].Packages, t.Package):
		return Building
	}
	return Waiting
}

// Result returns the result of a target until now: Clean as long as there is no other.
func (t *TargetState) Result() event.Result {
	switch {
	case t.result != "":
		return t.result
	case t.Bugs > 0:
		return event.Bug
	case t.Flaky > 0:
		return event.Flaky
	case t.Known > 0:
		return event.KnownOnly
	}
	return event.Clean
}

// HasResult reports whether somebody has given a target its result, and not only its findings.
func (t *TargetState) HasResult() bool { return t.result != "" }

// Reason says why a target is not fuzzed, or fails; empty: neither.
func (t *TargetState) Reason() string { return t.reason }

// Rate returns the executions per second of a target.
func (s *State) Rate(t *TargetState) float64 {
	if t.ended {
		return mean(t.Run.Execs, t.Seconds)
	}
	return s.lately(t)
}

// Share returns the part of the time of all workers that a target got, from 0 to 1.
func (s *State) Share(t *TargetState) float64 {
	if s.spent <= 0 {
		return 0
	}
	return t.Spent / s.spent
}

// doing returns what the workers of a target do, in a word of [event.WorkerState].
func (t *TargetState) doing() event.Doing {
	switch {
	case t.Run.Minimizing:
		return event.Minimizing
	case t.Run.WarmingUp:
		return event.WarmingUp
	}
	return event.Fuzzing
}

// describe returns the state of a target as plain data.
func (s *State) describe(t *TargetState) event.TargetState {
	e := event.TargetState{
		Subject: t.Subject, Run: t.Run, Reached: t.Reached, Result: t.Result(), Reason: t.reason, Begun: t.Begun, Done: t.done || t.ended, Turns: t.Turns,
		Seconds: t.Seconds, Share: s.Share(t), State: string(s.Phase(t)), Rate: s.Rate(t), Bugs: t.Bugs, Flaky: t.Flaky, Known: t.Known, Quiet: t.quiet,
	}
	e.Workers = t.Workers
	if !t.EdgeAt.IsZero() {
		e.SinceEdge = max(0, s.Now.Sub(t.EdgeAt).Seconds())
	}
	if _, final := ofResult(t.result); !final {
		e.Next, e.NextLow, e.NextHigh = t.next[0], t.next[1], t.next[2]
	}
	return e
}

// applyToTarget updates the state of a target with an event about it.
func (s *State) applyToTarget(e event.Event) {
	switch e := e.(type) {
	case event.Loading:
		t := s.add(e.Subject)
		t.Loading, t.Begun = e, true
	case event.WarmUp:
		s.warm(e.Subject, e.Run)
	case event.WarmedUp:
		s.warm(e.Subject, e.Run)
	case event.Progress:
		t := s.add(e.Subject)
		s.report(t, e.Run)
	case event.Turn:
		t := s.add(e.Subject)
		s.turn(t, e)
	case event.Entry:
		t := s.add(e.Subject)
		t.Entries = prepend(t.Entries, Entry{e, s.Now}, maxEntries)
		if e.Edges > 0 {
			t.quiet, t.EdgeAt = false, s.Now
		}
		if t.Gains == nil {
			t.Gains = map[string]Gain{}
		}
		t.Gains[e.Technique] = t.Gains[e.Technique].add(e)
		s.Gains[e.Technique] = s.Gains[e.Technique].add(e)
	case event.Cover:
		s.add(e.Subject).Reached = e.Reached
	case event.Minimize:
		s.add(e.Subject).Run.Minimizing = true
	case event.Again:
		*s.add(e.Subject).Counts.of(outcomes[e.Result])++
		if e.Lost {
			*s.counts.of(outcomes[e.Result])++
		}
	case event.TargetEnd:
		s.targetEnd(e)
	}
}

// warm updates a target whose corpus is loaded.
func (s *State) warm(name event.Subject, run event.Run) {
	t := s.add(name)
	t.Begun, t.warm = true, true
	s.report(t, run)
}

// turn updates a target whose turn begins or is over.
func (s *State) turn(t *TargetState, e event.Turn) {
	s.executed(t, e.Execs)
	t.Run.Execs = e.Execs
	s.occupy(t, e)
	if !e.Over {
		return
	}
	s.spent += e.Spent - t.Spent
	t.Turns, t.Seconds, t.Spent, t.done, t.quiet = e.Turns, e.Seconds, e.Spent, e.Done, e.Quiet
	t.next = [3]float64{e.Next, e.Low, e.High}
}

// executed counts executions for the rate. A number after the target has started over is where counting begins again, as the first one is.
func (s *State) executed(t *TargetState, execs uint64) {
	n := uint64(0)
	if execs >= t.Run.Execs {
		n = execs - t.Run.Execs
	}
	t.rate.add(s.Now, n)
	t.Begun = t.Begun || execs > 0
}

// report updates a target with the state of fuzzing it.
func (s *State) report(t *TargetState, run event.Run) {
	s.executed(t, run.Execs)
	if run.Edges > t.Run.Edges {
		t.quiet, t.EdgeAt = false, s.Now
	}
	s.sum += run.Edges - t.Run.Edges
	t.Run = run
	t.Edges.add(s.Now.Sub(s.Origin), run.Edges)
	s.Edges.add(s.Now.Sub(s.Origin), s.sum)
}

// notice counts a notice, and updates what it is about.
func (s *State) notice(e event.Notice) {
	s.Notices[e.What]++
	switch e.What {
	case event.Paused, event.Resumed:
		s.Paused = e.What == event.Paused
		s.clock.stop(s.Now, s.Paused)
	}
	if e.Subject.Func == "" {
		return
	}
	t := s.add(e.Subject)
	switch e.What {
	case event.Aside:
		t.result, t.reason = event.Unusable, e.Text
	case event.Skipped:
		t.result, t.reason = event.Skip, e.Text
	case event.Failing:
		t.result, t.reason = event.Fails, e.Text
	case event.Quiet:
		t.quiet = true
	}
	first, _, _ := strings.Cut(e.Text, "\n")
	t.Notices = prepend(t.Notices, string(e.What)+": "+first, maxNotices)
}

// Changed returns those of a list that differ from the progress that the state has, with the workers of the target and their time.
func (s *State) Changed(list []event.Progress) (changed []event.Progress) {
	for _, e := range list {
		known := event.Run{}
		e.Workers = 0 // the engine counts processes
		if t := s.Find(e.Subject.Target()); t != nil {
			e.Workers, e.Spent, known = t.Workers, t.Spent, t.Run
		}
		if e.Run != known {
			changed = append(changed, e)
		}
	}
	return changed
}

// Conclude returns the result of a target at the end of the campaign as an event, which a campaign publishes.
func (s *State) Conclude(name event.Subject, result event.Result, reason string) event.TargetEnd {
	t := s.add(name)
	e := event.TargetEnd{
		Subject: name, Result: result, Reason: reason, Seconds: t.Seconds, Turns: t.Turns, Execs: t.Run.Execs, Edges: t.Run.Edges, Entries: t.Run.Entries,
		New: t.Run.New, Bugs: t.Bugs, Quiet: t.quiet, Reached: t.Reached,
	}
	if p, final := ofResult(result); !final || p == Fails { // otherwise it says nothing about a target that was not fuzzed
		e.Next = t.next[0]
	}
	return e
}

// targetEnd updates a target with its result.
func (s *State) targetEnd(e event.TargetEnd) {
	t := s.add(e.Subject)
	s.sum += e.Edges - t.Run.Edges
	t.Run.Execs, t.Run.Edges, t.Run.Entries, t.Run.New, t.Run.Minimizing = e.Execs, e.Edges, e.Entries, e.New, false
	t.Turns, t.Seconds, t.ended, t.result, t.reason, t.quiet = e.Turns, e.Seconds, true, e.Result, e.Reason, e.Quiet
	t.Begun = t.Begun || e.Execs > 0
	if e.Statements > 0 {
		t.Reached = e.Reached
	}
	if e.Next > 0 {
		t.next[0] = e.Next
	}
}

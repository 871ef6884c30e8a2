package campaign

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// conclude determines the result of the target when the campaign is over.
func (t *target) conclude(ctx context.Context) {
	t.mu.Lock()
	s := t.session
	t.mu.Unlock()
	if s != nil {
		out := s.Target.Outcome()
		for f, others := range out.Others {
			t.campaign.ledger.keep(t.Target, f, others)
		}
		t.campaign.ledger.restoreFiles(t)
		// An input that needs too much memory may pass in plain go test, and is reported all the same.
		if f := out.OverLimit; f != nil {
			t.found(ctx, f)
		}
	}
	now := t.snapshot()
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.count(event.Bug) > 0:
		t.result = event.Bug
	case t.result != event.Clean:
	case t.count(event.Flaky) > 0 && now.NothingPasses:
		t.result, t.err = event.Unusable, errFailsAlways
	case t.count(event.Flaky) > 0:
		t.result = event.Flaky
	case t.count(event.KnownOnly) > 0:
		t.result = event.KnownOnly
	default:
		if why := notReached(s != nil, now); why != "" && !t.past.Seeded {
			t.result, t.err = event.Unreached, errors.New(why)
		}
	}
}

// errFailsAlways says that a target does not work in a fuzzing process.
var errFailsAlways = errors.New("all seeds and the zero value fail in a fuzzing process, but pass at least once in plain go test")

// notReached returns why a target without findings counts as not reached; empty: all its seeds were executed.
func notReached(hadTurn bool, s engine.Snapshot) string {
	switch {
	case !hadTurn:
		return "the campaign ended before its first turn"
	case !s.Prepared:
		return "its process did not reach F.Fuzz before the campaign ended"
	case s.Execs == 0:
		return "no input was executed before the campaign ended"
	case s.SeedsLeft == 1:
		return "1 seed was not executed"
	case s.SeedsLeft > 1:
		return fmt.Sprintf("%d seeds were not executed", s.SeedsLeft)
	}
	return ""
}

// seeded reports whether all seeds of a target were executed.
func seeded(s engine.Snapshot) bool { return s.Prepared && s.SeedsLeft == 0 }

// count returns the number of findings with a result for the target. The caller holds the mutex.
func (t *target) count(what event.Result) (n int) {
	for _, r := range t.findings {
		if r == what {
			n++
		}
	}
	return n
}

// name returns the target as events name it.
func (t *target) name() event.Target {
	name := t.campaign.packageOf(t.Target)
	name.Target = t.Target.Name
	return name
}

// notice publishes a notice about the target.
func (t *target) notice(what event.NoticeKind, text string) {
	t.campaign.Events.Publish(event.Notice{What: what, Target: t.name(), Text: text})
}

// state returns the state of the target, without its turns.
func (t *target) state() event.TargetState {
	s := t.snapshot()
	t.mu.Lock()
	defer t.mu.Unlock()
	e := event.TargetState{
		Target: t.name(), Run: s.Run, Result: t.result, Begun: t.session != nil, Done: t.done, SinceEdge: s.SinceEdge.Seconds(),
		Reached: t.campaign.coverer.of(t),
		Bugs:    t.count(event.Bug), Flaky: t.count(event.Flaky), Known: t.count(event.KnownOnly),
	}
	if t.err != nil {
		e.Reason = t.err.Error()
	}
	return e
}

// doing returns what the workers of a target do.
func doing(s engine.Snapshot) string {
	switch {
	case s.Minimizing:
		return event.Minimizing
	case s.WarmingUp:
		return event.WarmingUp
	}
	return event.Fuzzing
}

// end returns the result of the target.
func (t *target) end(share bandit.Share) event.TargetEnd {
	s := t.snapshot()
	t.mu.Lock()
	defer t.mu.Unlock()
	e := event.TargetEnd{
		Target: t.name(), Result: t.result, Seconds: share.Time.Seconds(), Turns: share.Turns,
		Execs: s.Execs, Edges: s.Edges, Entries: s.Entries, New: s.New, Bugs: t.count(event.Bug), Quiet: share.Quiet,
		Reached: t.campaign.coverer.of(t),
	}
	if t.result != event.Unusable && t.result != event.Skip && t.result != event.Unreached {
		e.Next = share.Expect.Seconds()
	}
	if t.err != nil {
		e.Reason = t.err.Error()
	}
	return e
}

package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// conclude determines the result of the target when the campaign is over.
func (t *target) conclude(ctx context.Context) {
	t.mu.Lock()
	s := t.session
	t.mu.Unlock()
	if s != nil {
		out := s.Fuzzer.Outcome()
		for f, others := range out.Others {
			t.campaign.Ledger.Others(t.Target, f, others)
		}
		t.campaign.Ledger.Restore(t.Target, t.ownFindings())
		// An input that needs too much memory may pass in plain go test, and is reported all the same.
		for _, f := range out.OverLimit {
			t.found(ctx, f)
		}
		for _, b := range out.Beyond {
			t.notice(event.Warning, beyondText(b))
		}
	}
	t.mu.Lock()
	unseen := !t.compared && t.result != event.Unusable // its binary was not built, which would show whether its code is the same
	t.mu.Unlock()
	if unseen {
		recall(t)
	}
	now, undecided := t.snapshot(), ""
	if s != nil {
		undecided = s.Fuzzer.Undecided()
	}
	fails := t.campaign.checker.failure(t, t.campaign.Ledger.Tests(t.ownFindings()))
	defer func() {
		if t.result == event.Fails {
			t.notice(event.Failing, fails)
		}
	}()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.judge(ctx, s, now, fails, undecided)
}

// judge determines the result from the last snapshot, from what plain go test says against the target, and from what the session could not
// decide. s is nil if the target had no turn. The mutex is held.
func (t *target) judge(ctx context.Context, s *session.Session, now engine.Snapshot, fails, undecided string) {
	switch {
	case t.count(event.Bug) > 0:
		t.result = event.Bug
	case fails != "" && (t.result == event.Clean || t.result == event.Skip):
		t.result, t.err = event.Fails, errors.New(fails)
	case t.result != event.Clean:
	case now.Unjudged > 0: // also with findings that do not count
		t.result, t.err = event.Unreached, errUnjudged
	case t.count(event.Flaky) > 0 && now.NothingPasses:
		t.result, t.err = event.Unusable, errFailsAlways
	case undecided != "":
		t.result, t.err = event.Unusable, errors.New(undecided)
	case t.count(event.Flaky) > 0:
		t.result = event.Flaky
	case t.count(event.KnownOnly) > 0:
		t.result = event.KnownOnly
	default:
		why := notReached(s != nil, now)
		if why != "" && seededBefore(t) {
			why = ""
		}
		if why = cmp.Or(why, t.campaign.checker.missing(ctx, t)); why != "" {
			t.result, t.err = event.Unreached, errors.New(why)
		} else if result, err := t.campaign.racer.missing(ctx, t, s); err != nil {
			t.result, t.err = result, err
		}
	}
}

// beyondText says what a target has shown at a place and the campaign has not recorded.
func beyondText(b engine.Beyond) string {
	at := fmt.Sprintf("findings of kind %s", b.Kind)
	if b.Place != "" {
		at += " at " + b.Place
	}
	if b.Messages > 0 {
		return fmt.Sprintf("there are more %s than gnaw records at one place: it left out %d with other messages; mend or mark the recorded ones as known, and run gnaw again",
			at, b.Messages)
	}
	return fmt.Sprintf("%d more inputs fail like flaky %s, and gnaw had no time to run them again", b.Untried, at)
}

// errFailsAlways says that a target does not work in a fuzzing process.
var errFailsAlways = errors.New("all seeds and the zero value fail in a fuzzing process, but pass at least once in plain go test")

// errUnjudged says that a target may have a bug.
var errUnjudged = errors.New("an execution was ended before gnaw knew whether it fails")

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

// ownFindings returns the IDs of the findings of the target, with their results.
func (t *target) ownFindings() map[string]event.Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.findings)
}

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
func (t *target) name() event.Subject { return t.campaign.nameOf(t.Target) }

// notice publishes a notice about the target.
func (t *target) notice(what event.NoticeKind, text string) {
	t.campaign.Events.Publish(event.Notice{What: what, Subject: t.name(), Text: text})
}

// turnEnd returns the event that a turn of the target is over. past is what is known about the target now.
func (t *target) turnEnd(past bandit.Past, slots []int) event.Turn {
	e, execs := past.Estimate(), t.snapshot().Execs
	return event.Turn{
		Subject: t.name(), Slots: slots, Execs: execs, Over: true, Done: past.Over, Turns: past.Turns, Seconds: past.Time.Seconds(), Spent: past.Worker.Seconds(),
		Next: e.Mean.Seconds(), Low: e.Low.Seconds(), High: e.High.Seconds(), Quiet: past.Quiet,
	}
}

// end returns the result of the target, with the numbers of the board.
func (t *target) end() (e event.TargetEnd) {
	t.mu.Lock()
	result, reason := t.result, ""
	if t.err != nil {
		reason = t.err.Error()
	}
	t.mu.Unlock()
	t.campaign.board.Read(time.Now(), func(s *board.State) { e = s.Conclude(t.name(), result, reason) })
	return e
}

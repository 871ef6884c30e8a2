//go:build unix

package campaign

import (
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestACampaignIsPausedAndResumedAndStopped(t *testing.T) {
	r := newRig(t, "never", "p")
	r.Limits = Limits{}
	c := New(r.Options)
	c.Stop() // has no effect before Run
	var kinds []event.NoticeKind
	var atPause, atResume event.Snapshot
	c.Events.Subscribe(func(e event.Stamped) {
		n, ok := e.Event.(event.Notice)
		if !ok || n.What != event.Paused && n.What != event.Resumed {
			return
		}
		if kinds = append(kinds, n.What); n.What == event.Paused {
			atPause = c.Snapshot()
			c.Pause(false)
			return
		}
		atResume = c.Snapshot()
		c.Stop()
	})
	c.Pause(true) // before Run: no turn begins
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.bus.Close()
	if !slices.Equal(kinds, []event.NoticeKind{event.Paused, event.Resumed}) {
		t.Errorf("the notices are %v, want paused and resumed", kinds)
	}
	if atResume.Number == 0 || atResume.Paused || atResume.Pausing {
		t.Errorf("after the pause the snapshot has the number %d, paused %v and pausing %v", atResume.Number, atResume.Paused, atResume.Pausing)
	}
	if atPause.Totals.Execs != 0 {
		t.Errorf("%d inputs are executed before the pause is over", atPause.Totals.Execs)
	}
}

func TestATargetWithoutAFactorIsNotFuzzed(t *testing.T) {
	r := newRig(t, "never", "p", "q")
	c := New(r.Options)
	if c.Weigh(event.Subject{Package: "p", Func: "FuzzY"}, 0) {
		t.Error("the campaign has a factor for a target that it does not have")
	}
	q := event.Subject{Package: "q", Func: "FuzzX"}
	c.Weigh(q, 0)
	given, early := false, false
	c.Events.Subscribe(func(e event.Stamped) {
		switch turn, isTurn := e.Event.(event.Turn); {
		case !isTurn:
		case turn.Subject.Package == "q":
			early = early || !given
		case turn.Done: // the other one has nothing left to do
			given = true
			c.Weigh(q, 1)
		}
	})
	s, err := c.Run(t.Context())
	r.bus.Close()
	if err != nil || s.Count(event.Clean) != 2 || early {
		t.Errorf("the summary is %+v (%v); the second target had turns before it had a factor: %v", s, err, early)
	}
}

func TestThePauseIsNoTimeOfTheCampaign(t *testing.T) {
	l := newLab(t)
	l.begin()
	l.board.Apply(event.Stamped{At: time.Now().Add(time.Hour), Event: event.Notice{What: event.Paused}})
	l.board.Apply(event.Stamped{At: time.Now().Add(90 * time.Minute), Event: event.Status{Seconds: 3600}})
	if s := l.Snapshot(); !s.Paused || s.Pausing || s.Totals.Seconds != 3600 {
		t.Errorf("in the pause the snapshot is %+v", s)
	}
	if got := l.elapsed(); got != time.Hour {
		t.Errorf("in the pause %v have passed, want an hour", got)
	}
	l.notePause(false)
	if got := l.elapsed(); got < time.Hour || got > time.Hour+time.Minute {
		t.Errorf("after the pause %v have passed, want an hour", got)
	}
}

func TestTheHistoryHasTheTotalsAndTheEntries(t *testing.T) {
	r := newRig(t, "never", "p")
	r.run(t, t.Context())
	s, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Reader().Summaries(t.Context(), 1)
	if err != nil || len(list) != 1 {
		t.Fatalf("the campaigns are %+v (%v)", list, err)
	}
	got, end := list[0], r.ends()[0]
	if got.Targets != 1 || got.Execs != end.Execs || got.Edges != end.Edges || got.Entries != end.Entries || got.Root != r.Module.Root || got.Cache != r.Toolchain.Cache {
		t.Errorf("the history has %+v, want the totals of %+v", got, end)
	}
	entries, err := s.Reader().Entries(t.Context(), r.Module.Path, fuzz.Name{Package: "p", Func: "FuzzX"})
	want := 0
	for _, e := range r.events {
		if _, ok := e.(event.Entry); ok {
			want++
		}
	}
	if err != nil || len(entries) != want {
		t.Errorf("the history has %d entries (%v), want %d", len(entries), err, want)
	}
}

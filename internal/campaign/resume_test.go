package campaign

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// killed is a lab whose campaign was killed before.
func killed(t *testing.T) *lab {
	l := newLab(t)
	l.target.code = "before"
	l.target.past = state{Past: bandit.Past{Turns: 3, Execs: 70}, Findings: map[string]event.Result{"aa": event.Bug, "bb": event.Flaky}}
	return l
}

func TestATargetIsResumedIfItsCodeIsTheSame(t *testing.T) {
	l := killed(t)
	l.target.compareCode("before")
	if p := l.target.Past(); p.Turns != 3 || l.target.limit() != 30 || l.target.count(event.Bug) != 1 || l.target.count(event.Flaky) != 1 || l.bugs() != 1 {
		t.Errorf("it is resumed with %+v, %d executions, findings %v", p, l.target.limit(), l.target.findings)
	}
	if l.target.snapshot().Execs != 70 {
		t.Errorf("before its first turn it has %d executions, want those before the kill", l.target.snapshot().Execs)
	}
	notices := eventsOf[event.Notice](l)
	for _, n := range notices {
		if n.What != event.Resume || !strings.HasSuffix(n.Text, ", which was reported before the campaign was killed, still counts; it is no longer in the history") {
			t.Errorf("the notices are %+v", n)
		}
	}
	if len(notices) != 2 {
		t.Errorf("the notices are %+v, want one sentence for each finding", notices)
	}
}

func TestATargetWithOtherCodeStartsOver(t *testing.T) {
	l := killed(t)
	l.target.compareCode("after")
	if p := l.target.Past(); p.Turns != 0 || l.target.limit() != 100 || len(l.target.findings) != 0 {
		t.Errorf("with other code it starts with %+v, %d executions, findings %v", p, l.target.limit(), l.target.findings)
	}
	if n := eventsOf[event.Notice](l); len(n) != 1 || n[0].What != event.Resume || !strings.Contains(n[0].Text, "starts over") {
		t.Errorf("the notices are %+v", n)
	}
}

func TestExecutionsBeforeAKillDoNotCountForTheRate(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       []uint64
	}{
		{"the same code", "before", []uint64{70, 70}},
		{"other code, so that what was before is dropped", "after", []uint64{70, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := killed(t)
			l.begin()
			for i, want := range tt.want {
				l.publishStatus(l.elapsed(), false)
				if s := l.Snapshot().Totals; s.Execs != want || s.Rate != 0 {
					t.Errorf("status %d has %d executions, %v/s, want %d, and none now", i+1, s.Execs, s.Rate, want)
				}
				l.target.compareCode(tt.code) // its binary is built while others are fuzzed
			}
		})
	}
}

// The list of known findings may have been changed since the campaign was killed.
func TestFindingsBeforeAKillFollowTheListOfKnownFindings(t *testing.T) {
	for _, tt := range []struct {
		name  string
		was   event.Result
		known known.List
		want  event.Result
	}{
		{"a bug", event.Bug, known.List{}, event.Bug},
		{"a bug that was added to the list", event.Bug, known.List{Entries: []known.Entry{{ID: "aaaa", Reason: "old"}}}, event.KnownOnly},
		{"a bug that was taken from the list", event.KnownOnly, known.List{}, event.Bug},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := killed(t)
			l.ledger.Known = tt.known
			r := finding.Record{ID: "aaaabbbbccccdddd", Kind: finding.Panic, Message: "oops", Target: "FuzzX", Replays: 3, Repeats: 3, Last: time.Now()}
			if _, err := l.db.Save(t.Context(), 1, l.Module.Path, r); err != nil {
				t.Fatal(err)
			}
			l.target.past.Findings = map[string]event.Result{r.ID: tt.was}
			l.target.compareCode("before")
			if got := l.target.findings[r.ID]; got != tt.want || (l.bugs() > 0) != (tt.want == event.Bug) {
				t.Errorf("it makes %v of the target, want %v; %d findings count", got, tt.want, l.bugs())
			}
			found := eventsOf[event.Finding](l)
			if len(found) != 1 || found[0].Short != "aaaa" || (found[0].Known != nil) != (tt.want == event.KnownOnly) {
				t.Errorf("the findings are %+v", found)
			}
		})
	}
}

// A target counts as fuzzed if its seeds were executed, now or before the campaign was killed.
func TestATargetWithoutATurnSinceAKill(t *testing.T) {
	for _, tt := range []struct {
		name   string
		seeded bool
		code   string
		seed   string // a file that is new since then; empty: none is
		race   bool
		want   event.Result
	}{
		{"its seeds were executed", true, "before", "", false, event.Clean},
		{"some were not", false, "before", "", false, event.Unreached},
		{"its code is another one", true, "after", "", false, event.Unreached},
		{"it has a new seed, as a failing input that was not announced", true, "before", "new", false, event.Unreached},
		{"the race detector may not have executed all of them", true, "before", "", true, event.Unreached},
	} {
		l := killed(t)
		l.target.past.Findings, l.target.past.Seeded, l.target.past.Seeds = nil, tt.seeded, digestOfSeeds(l.target.seeds())
		if tt.race {
			l.racer = newRacer(l.Campaign)
		}
		if tt.seed != "" {
			l.failure("no", tt.seed) // writes its input
		}
		l.target.compareCode(tt.code)
		if l.target.conclude(t.Context()); l.target.result != tt.want {
			t.Errorf("%s: the result is %v (%v), want %v", tt.name, l.target.result, l.target.err, tt.want)
		}
	}
}

func TestTheProgressOfATurnIsRecorded(t *testing.T) {
	l := newLab(t)
	l.begin()
	l.target.findings["aa"] = event.Flaky
	l.target.endTurn(bandit.Past{Turns: 2, Execs: 7})
	l.saveProgress()
	list, err := l.db.Progress(t.Context(), 1)
	if err != nil || len(list) != 1 || list[0].Target.Func != "FuzzX" || !strings.Contains(list[0].State, `"turns":2`) || !strings.Contains(list[0].State, `"aa":"flaky"`) {
		t.Errorf("Progress = %+v, %v", list, err)
	}
	if l.target.changed {
		t.Error("it would be recorded again")
	}
}

// A campaign may be killed as soon as a finding is announced, before its first turn or its first record of the progress.
func TestAFindingIsRecordedBeforeItIsAnnounced(t *testing.T) {
	l := newLab(t)
	c := store.Campaign{Module: l.Module.Path, Start: time.Now(), Args: "a", Run: "process"}
	id, err := l.db.Begin(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	l.history.campaign.Store(id)
	l.queue = newQueue()
	l.onPoolEvent(bandit.Event{Target: -1, What: bandit.Begun})
	l.target.compareCode("code")
	var states []string
	l.Events.Subscribe(func(e event.Stamped) {
		if _, ok := e.Event.(event.Finding); ok {
			list, err := l.db.Progress(t.Context(), id)
			if err != nil || len(list) != 1 || list[0].Code != "code" {
				t.Errorf("when the finding is announced, the progress is %+v, %v", list, err)
				return
			}
			states = append(states, list[0].State)
		}
	})
	l.target.onFound(l.failure("no", "in"))
	l.queue.close()
	l.published()
	if len(states) != 1 || !strings.Contains(states[0], `:"bug"`) {
		t.Errorf("the states are %q, want one with the bug", states)
	}
	k, ok, err := l.db.Resume(t.Context(), c, func(string) bool { return false })
	if err != nil || !ok || k.Seen.IsZero() {
		t.Errorf("Resume = %+v, %v, %v; want a campaign that has fuzzed", k, ok, err)
	}
}

// Whether the code is the same is not known if time is over, or a signal arrives, before the binary is built.
func TestFindingsBeforeAKillCountWithoutATurn(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error // for which the target is set aside
		want event.Result
	}{
		{"the campaign ends before the build", nil, event.Bug},
		{"its binary was not built in time", errLate, event.Bug},
		{"it does not build, so that its code has changed", errors.New("syntax error"), event.Unusable},
	} {
		l := killed(t)
		if tt.err != nil {
			l.target.setAside(tt.err)
		}
		l.target.conclude(t.Context())
		if counts := l.bugs() > 0; l.target.result != tt.want || counts != (tt.want == event.Bug) {
			t.Errorf("%s: the result is %v, and it is %v that findings count; want %v", tt.name, l.target.result, counts, tt.want)
		}
	}
}

// The first turn since the kill must not hide those before it.
func TestAFindingInTheFirstTurnSinceAKillKeepsTheProgress(t *testing.T) {
	l := killed(t)
	l.begin()
	l.target.compareCode("before")
	l.target.found(t.Context(), l.failure("no", "in"))
	list, err := l.db.Progress(t.Context(), 1)
	if err != nil || len(list) != 1 || !strings.Contains(list[0].State, `"turns":3`) || strings.Count(list[0].State, `:"bug"`) != 2 {
		t.Errorf("Progress = %+v, %v; want three turns and two bugs", list, err)
	}
}

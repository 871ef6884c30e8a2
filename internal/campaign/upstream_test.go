package campaign

import (
	"context"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
)

// runUpstream gives the campaign a function that runs inputs with the newest version. The function that it returns waits for the end.
func (l *lab) runUpstream(t *testing.T, ctx context.Context, run func(context.Context, finding.Record) finding.Upstream) (end func()) {
	t.Helper()
	l.ledger.Upstream = run
	l.ledger.Begin(ctx)
	return l.ledger.End
}

func TestAFindingOfADependencyIsPublishedWithWhatTheNewestVersionShows(t *testing.T) {
	l := newLab(t)
	l.beOutside(t)
	begun, goOn := make(chan struct{}), make(chan struct{})
	want := finding.Upstream{Newest: "v1.1.0", Result: finding.Passes}
	end := l.runUpstream(t, t.Context(), func(_ context.Context, r finding.Record) finding.Upstream {
		if saved, ok := l.history.Find(r.ID); !ok || saved.Upstream != nil {
			t.Errorf("when the input runs, the history has %+v (%v)", saved, ok)
		}
		close(begun)
		<-goOn
		return want
	})
	id, what := l.report(l.failure("gone", "first"))
	<-begun
	l.ledger.Smaller(l.target.Target, l.failure("gone", "1"))
	l.report(l.failure("gone", "another"))
	if what != event.Bug || l.bugs() != 0 {
		t.Errorf("it makes %v of the target, and %d findings are published", what, l.bugs())
	}
	close(goOn)
	end()
	saved, ok := l.history.Find(id)
	if !ok || saved.Upstream == nil || saved.Upstream.Result != want.Result || saved.Size != 1 || saved.Times != 1 {
		t.Errorf("the history has %+v (%v)", saved, ok)
	}
	found := eventsOf[event.Finding](l)
	if len(found) != 1 || found[0].Upstream == nil || found[0].Upstream.Newest != want.Newest || found[0].Size != 1 {
		t.Fatalf("what is published is %+v, want the finding once, with the smaller input", found)
	}
	for _, n := range eventsOf[event.Notice](l) {
		if n.What == event.Smaller {
			t.Errorf("a smaller input of a finding that is not published is announced: %s", n.Text)
		}
	}
}

func TestOnlyBugsOfDependenciesWaitForTheNewestVersion(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(l *lab, f *finding.Finding)
		outside bool
	}{
		{"a finding of the main module", func(*lab, *finding.Finding) {}, false},
		{"a flaky finding", func(_ *lab, f *finding.Finding) { f.Failures, f.Flaky = 1, true }, true},
		{"a known finding", func(l *lab, f *finding.Finding) {
			l.ledger.Known.Entries = []known.Entry{{ID: RecordOf(l.Module, l.target.Target, f).ID, Reason: "old"}}
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			if tt.outside {
				l.beOutside(t)
			}
			end := l.runUpstream(t, t.Context(), func(context.Context, finding.Record) finding.Upstream {
				t.Error("its input runs with the newest version")
				return finding.Upstream{}
			})
			f := l.failure("gone", "first")
			tt.change(l, f)
			l.report(f)
			end()
			if found := eventsOf[event.Finding](l); len(found) != 1 || found[0].Upstream != nil {
				t.Errorf("what is published is %+v", found)
			}
		})
	}
}

// A resumed campaign reports the findings of the killed one, and may find them again while their inputs run.
func TestAFindingThatIsReportedAgainRunsOnce(t *testing.T) {
	l := newLab(t)
	l.beOutside(t)
	goOn, runs := make(chan struct{}), 0
	end := l.runUpstream(t, t.Context(), func(context.Context, finding.Record) finding.Upstream {
		<-goOn
		runs++
		return finding.Upstream{Newest: "v1.1.0", Result: finding.Passes}
	})
	id, _ := l.report(l.failure("gone", "first"))
	if what := l.ledger.Again(l.target.Target, id, event.Bug); what != event.Bug {
		t.Errorf("the result of the target is %v", what)
	}
	close(goOn)
	end()
	if found := eventsOf[event.Finding](l); runs != 1 || len(found) != 1 {
		t.Errorf("the input runs %d times, and the finding is published %d times, want once", runs, len(found))
	}
}

func TestAnInterruptEndsTheRunsWithTheNewestVersions(t *testing.T) {
	l := newLab(t)
	l.beOutside(t)
	ctx, cancel := context.WithCancel(t.Context())
	begun := make(chan struct{}, 2)
	end := l.runUpstream(t, ctx, func(ctx context.Context, _ finding.Record) finding.Upstream {
		begun <- struct{}{}
		<-ctx.Done()
		return finding.Upstream{Result: finding.NotTried, Reason: "gnaw ended"}
	})
	l.report(l.failure("gone", "first"))
	l.report(l.failure("lost", "second"))
	<-begun
	cancel()
	end()
	found := eventsOf[event.Finding](l)
	if len(found) != 2 || found[0].Upstream.Reason != "gnaw ended" || found[1].Upstream.Reason != "gnaw ended" {
		t.Errorf("what is published is %+v", found)
	}
}

func TestTheEndOfACampaignSaysWhatItWaitsFor(t *testing.T) {
	l := newLab(t)
	l.beOutside(t)
	waits := make(chan string, 1)
	l.runUpstream(t, t.Context(), func(context.Context, finding.Record) finding.Upstream {
		<-waits
		return finding.Upstream{}
	})
	l.report(l.failure("gone", "first"))
	l.ledger.upstream.close(func(text string) { waits <- text; l.warn(text) })
	if n := eventsOf[event.Notice](l); len(n) != 1 || !strings.Contains(n[0].Text, "1 finding with the newest version") {
		t.Errorf("the notices are %+v", n)
	}
}

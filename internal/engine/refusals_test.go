package engine

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Each of two workers executes a seed, and then they have an entry of the cache and requests to mutate.
func TestWhatSeedsDoIsAllowedToAllWorkersBeforeOtherInputsAreExecuted(t *testing.T) {
	l := newLab(t)
	l.opts.Refuse, l.parallel, l.opts.MaxExecs = true, 2, 100
	l.cache("cached", "cached too")
	l.seeds("a", "b")
	var both sync.WaitGroup
	both.Add(2)
	check := func(f *fakeWorker, what string) {
		if !f.refuses || len(f.allowed) != 2 {
			t.Errorf("worker %d %s; it refuses: %v, except for %q, want what both seeds do", f.number, what, f.refuses, f.allowed)
		}
	}
	l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		if !strings.HasPrefix(data, "cached") {
			if !f.given || !f.refuses {
				t.Errorf("the seed %q is executed as given: %v, in a worker that refuses: %v", data, f.given, f.refuses)
			}
			both.Done()
			both.Wait()
			ran := pass
			ran.Actions = [][]byte{[]byte(data)}
			return ran, nil
		}
		if f.given {
			t.Errorf("the entry %q is executed as given", data)
		}
		check(f, "executes an entry")
		return pass, nil
	}
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		check(f, "mutates")
		return allOf(m), nil
	}
	target := New(l.options())
	if err := target.Fuzz(t.Context(), 0, 0, l.parallel); err != nil {
		t.Fatal(err)
	}
	if list, refuse := target.Policy("seed a"); refuse {
		t.Errorf("the replay of a seed refuses all but %q", list)
	}
	if list, refuse := target.Policy("other"); !refuse || len(list) != 2 {
		t.Errorf("a replay refuses: %v, except for %q", refuse, list)
	}
}

func TestWithoutRefuseWorkersRefuseNothing(t *testing.T) {
	l := newLab(t)
	l.opts.MaxExecs = 10
	l.seeds("a")
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(l.workers, func(f *fakeWorker) bool { return f.refuses }) {
		t.Error("a worker refuses actions")
	}
}

// noticesOf returns the texts of the notices of a kind.
func noticesOf(l *lab, kind event.NoticeKind) (texts []string) {
	for _, n := range eventsOf[event.Notice](l) {
		if n.What == kind {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

func TestAFailureAfterARefusalIsNoFinding(t *testing.T) {
	const action = "start the program /bin/x"
	for _, tt := range []struct {
		name  string
		spoil func(l *lab)
	}{
		{"the target fails", func(l *lab) {
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				f.action = action
				return failing("bad", failedAt(1)), nil
			}
		}},
		{"the process ends", func(l *lab) {
			l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
				return executor.Fuzzed{}, &executor.Exit{Input: args("bad"), Execs: 1, Refused: action}
			}
		}},
		{"an entry of the cache fails", func(l *lab) {
			l.cache("bad")
			l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) {
				if f.action = ""; data != "bad" {
					return pass, nil
				}
				f.action = action
				return ranFailing(failedAt(1)), nil
			}
		}},
		{"only the replay refuses", func(l *lab) {
			l.refused = action
			l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
				return failing("bad", failedAt(1)), nil
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.Refuse, l.opts.KeepGoing, l.opts.MaxExecs = true, true, 3
			l.seeds("good")
			tt.spoil(l)
			target := New(l.options())
			if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
				t.Fatal(err)
			}
			out := target.Outcome()
			if found := eventsOf[foundEvent](l); len(found) > 0 {
				t.Errorf("it is reported: %+v", found[0].Finding)
			}
			if files := l.files(l.opts.CorpusDir); len(files) > 0 {
				t.Errorf("its input is in testdata: %q", files)
			}
			told := noticesOf(l, event.Refused)
			if len(told) != 1 || !strings.Contains(told[0], action) || !strings.Contains(told[0], "-refuse=off") {
				t.Errorf("the notices about the refusal are %q, want one that names the action and -refuse=off", told)
			}
			if warnings := noticesOf(l, event.Warning); len(warnings) != 1 || !strings.Contains(warnings[0], action) {
				t.Errorf("the warnings are %q, want one that names the action", warnings)
			}
			if why := target.Undecided(); !strings.Contains(why, action) {
				t.Errorf("the target is undecided because of %q, want the action", why)
			}
			for _, f := range out.Findings {
				if f.Refused == "" {
					t.Errorf("the outcome has %+v", f)
				}
			}
		})
	}
}

func TestWhatAnOracleSaysAfterARefusalIsNoFinding(t *testing.T) {
	for _, refuse := range []bool{true, false} {
		l := newOracleLab(t, func(f *fakeWorker, _ string, on oracle.Set) []oracle.Report {
			if f.refuses {
				f.action = "write /x"
			}
			if on == oracle.Growth {
				return nil
			}
			return []oracle.Report{leak("p.wait")}
		})
		l.opts.Refuse = refuse
		l.seeds("a")
		out, err := l.goFuzz(t.Context())
		if err != nil || len(out.Findings) > 0 == refuse {
			t.Errorf("with refuse = %v, the run ended with %+v (%v)", refuse, out, err)
		}
		if told := noticesOf(l, event.Refused); len(told) > 0 != refuse {
			t.Errorf("Refuse is %v and the warnings about refused actions are %q; want a warning only if it is true", refuse, told)
		}
	}
}

//go:build unix

package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// plainRun is a run of a target in plain go test.
type plainRun struct{ plain, without bool }

// checkedBy returns a lab whose target is checked by a function in the place of plain go test; alone says that nothing is fuzzed.
func checkedBy(t *testing.T, run func(r plainRun, alone bool) proof.Whole) (l *lab, runs *[]plainRun) {
	l = newLab(t)
	l.Builder = fakeBuilder{}
	l.target.compared = true
	l.target.past.Seeded, l.target.past.Seeds = true, digestOfSeeds(l.target.seeds())
	runs = &[]plainRun{}
	alone := false
	l.checker.seeds = func(_ context.Context, _ *target, plain, without bool) (proof.Whole, error) {
		*runs = append(*runs, plainRun{plain, without})
		return run(plainRun{plain, without}, alone), nil
	}
	for l.checker.visit(t.Context(), l.target) {
	}
	alone = true
	return l, runs
}

func TestATargetThatFailsInPlainGoTestOnly(t *testing.T) {
	red := func(failing ...string) proof.Whole {
		return proof.Whole{Red: true, Failing: failing, Output: "something leaks\nexit status 1"}
	}
	always := func(w proof.Whole) func(plainRun, bool) proof.Whole {
		return func(plainRun, bool) proof.Whole { return w }
	}
	withSeeds := func(w proof.Whole) func(plainRun, bool) proof.Whole {
		return func(r plainRun, _ bool) proof.Whole {
			if r.without {
				return proof.Whole{}
			}
			return w
		}
	}
	for _, tt := range []struct {
		name    string
		run     func(r plainRun, alone bool) proof.Whole
		finding string // the name of a seed that is the input of a finding that does not count; empty: there is none
		want    event.Result
		text    string // in the reason, or in the warning
	}{
		{"it passes", always(proof.Whole{}), "", event.Clean, ""},
		{"it also fails without seeds", always(red()), "", event.Fails, "outside of the fuzz function; go test -run='^FuzzX$' example.com/m shows it\nsomething leaks"},
		{"it fails without seeds, and a seed is a finding", always(red("seed#0")), "seed#0", event.Fails, "outside of the fuzz function"},
		{"a seed fails, and is a finding", withSeeds(red("seed#0", "seed#1")), "seed#1", event.Flaky, ""},
		{"a seed fails that is no finding", withSeeds(red("seed#0")), "", event.Fails, "with its seeds together"},
		{"a seed fails, and another one is a finding", withSeeds(red("seed#0")), "seed#1", event.Fails, "with its seeds together"},
		{"what fails is an input that gnaw wrote while it fuzzed", withSeeds(red("0123456789abcdef")), "", event.Clean, ""},
		{"it fails only with instrumentation", func(r plainRun, _ bool) proof.Whole {
			if r.plain {
				return proof.Whole{}
			}
			return red()
		}, "", event.Clean, ""},
		{"it fails only beside fuzzing", func(_ plainRun, alone bool) proof.Whole {
			if alone {
				return proof.Whole{}
			}
			return red()
		}, "", event.Clean, "passes alone:\nsomething leaks"},
		{"it takes too long", always(proof.Whole{Unknown: "it takes more than 10m0s"}), "", event.Unreached, "plain go test with them shows nothing: it takes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, _ := checkedBy(t, tt.run)
			if tt.finding != "" {
				l.target.findings["aa"] = event.Flaky
				l.ledger.tests["aa"] = []string{tt.finding}
			}
			l.checker.repeat(t.Context())
			l.target.conclude(t.Context())
			if l.target.result != tt.want {
				t.Errorf("the result is %v (%v), want %v", l.target.result, l.target.err, tt.want)
			}
			told := ""
			for _, n := range eventsOf[event.Notice](l) {
				told += string(n.What) + ": " + n.Text
			}
			if tt.want == event.Unreached {
				told = l.target.err.Error()
			}
			if !strings.Contains(told, tt.text) || (told == "") != (tt.text == "") || strings.HasPrefix(told, "fails: ") != (tt.want == event.Fails) {
				t.Errorf("gnaw says %q, want %q", told, tt.text)
			}
		})
	}
}

func TestATargetThatFailsInSomeRunsOfPlainGoTest(t *testing.T) {
	n := 0
	l, runs := checkedBy(t, func(plainRun, bool) proof.Whole {
		n++
		return proof.Whole{Red: n != 2, Output: "no luck"}
	})
	l.checker.repeat(t.Context())
	if l.target.conclude(t.Context()); l.target.result != event.Clean || len(*runs) != 3 {
		t.Errorf("after %d runs the result is %v, want a warning after 3", len(*runs), l.target.result)
	}
	if n := eventsOf[event.Notice](l); len(n) != 1 || n[0].What != event.Warning || !strings.Contains(n[0].Text, "fails in some runs") {
		t.Errorf("the notices are %+v", n)
	}
}

// What is not known when the campaign ends by itself is not green. Nobody waits for it after a signal.
func TestATargetThatWasNotCheckedInPlainGoTest(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		l, _ := checkedBy(t, func(plainRun, bool) proof.Whole { return proof.Whole{} })
		l.checker.seen[l.target].done = false
		ctx, cancel := context.WithCancel(t.Context())
		if stopped {
			cancel()
		}
		l.target.conclude(ctx)
		cancel()
		if want := map[bool]event.Result{false: event.Unreached, true: event.Clean}[stopped]; l.target.result != want {
			t.Errorf("stopped %v: the result is %v (%v), want %v", stopped, l.target.result, l.target.err, want)
		}
	}
}

func TestATargetThatFailsInPlainGoTestMakesTheExitCode(t *testing.T) {
	r := newRig(t, "never", "p", "vetted")
	r.Environ = append(r.Environ, endEnv+"="+endPlain)
	r.Builder = fakeBuilder{vet: "vetted"}
	r.Limits = Limits{MaxExecs: 300}
	s := r.run(t, t.Context())
	if s.ExitCode() != exitcode.Finding || s.Count(event.Fails) != 2 || s.Vet != 1 {
		t.Errorf("the summary is %+v, want two targets and a package that fail", s)
	}
	texts := r.notices(event.Failing)
	if len(texts) != 3 || !strings.Contains(texts[0], "the teardown fails\nexit status 1") || !strings.Contains(texts[2], "because of vet:\nwrong verb") {
		t.Errorf("the notices are %q", texts)
	}
	if end, ok := r.events[len(r.events)-1].(event.End); !ok || end.Fails != 2 || end.Vet != 1 || end.Exit != exitcode.Finding {
		t.Errorf("the end is %+v", r.events[len(r.events)-1])
	}
	db, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	results, err := db.Reader().Results(t.Context(), 1)
	if err != nil || len(results) != 3 || slices.ContainsFunc(results, func(r store.Result) bool { return r.Result != string(event.Fails) || r.Reason == "" }) {
		t.Errorf("the history has %+v, %v", results, err)
	}
}

func TestNothingIsCheckedAfterASignal(t *testing.T) {
	l := newLab(t)
	l.target.compared = true
	ctx, cancel := context.WithCancel(t.Context())
	l.checker.seeds = func(context.Context, *target, bool, bool) (proof.Whole, error) {
		cancel()
		return proof.Whole{}, errors.New("it was killed")
	}
	if l.checker.visit(ctx, l.target) || l.checker.missing(ctx, l.target) != "" {
		t.Errorf("the end of a run by a signal counts: %+v", l.checker.seen[l.target])
	}
}

// A seed that hangs would hang in plain go test, too, and the campaign would wait for that.
func TestABugEndsTheCheckOfItsTarget(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before bool // the bug is there before the check begins
	}{{"during the check", false}, {"before the check", true}} {
		l, _ := checkedBy(t, func(plainRun, bool) proof.Whole { return proof.Whole{} })
		l.checker.seen, l.target.compared = map[*target]*checked{}, true
		ended := false
		l.checker.seeds = func(ctx context.Context, one *target, _, _ bool) (proof.Whole, error) {
			if !tt.before {
				noteOf(one)("id", event.Bug)
			}
			ended = ctx.Err() != nil
			return proof.Whole{Red: true}, ctx.Err()
		}
		if tt.before {
			noteOf(l.target)("id", event.Bug)
		}
		l.checker.visit(t.Context(), l.target)
		if one := l.checker.seen[l.target]; !ended || !one.done || one.last.Red || l.checker.missing(t.Context(), l.target) != "" {
			t.Errorf("%s: it is %v that the run ends; the check has %+v", tt.name, ended, one)
		}
	}
}

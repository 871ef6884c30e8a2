package session

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/replay"
)

func TestAReplayFailsByWhatWasFound(t *testing.T) {
	const limit = 10 * time.Second
	for _, tt := range []struct {
		name string
		r    replay.Result
		kind finding.Kind
		want engine.Replayed
	}{
		{"a failure", replay.Result{Outcome: replay.Failed}, finding.Failure, engine.ReplayFailed},
		{"none", replay.Result{Outcome: replay.Passed, Took: limit}, finding.Failure, engine.ReplayPassed},
		{"no time left instead of a failure", replay.Result{Outcome: replay.Unfinished}, finding.Failure, engine.ReplayPassed},
		{"a hang", replay.Result{Outcome: replay.Unfinished, Took: limit}, finding.Hang, engine.ReplayFailed},
		{"a process that ends instead of a hang", replay.Result{Outcome: replay.Failed}, finding.Hang, engine.ReplayFailed},
		{"no hang, but slow", replay.Result{Outcome: replay.Passed, Took: limit / 2}, finding.Hang, engine.ReplaySlow},
		{"no hang, and quick", replay.Result{Outcome: replay.Passed, Took: time.Millisecond}, finding.Hang, engine.ReplayPassed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outcome(tt.r, tt.kind, limit); got != tt.want {
				t.Errorf("outcome = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAReplayOfADependencyThatIsNotConclusiveIsAnError(t *testing.T) {
	const limit = 10 * time.Second
	for _, tt := range []struct {
		name string
		r    replay.Result
		kind finding.Kind
		want bool
	}{
		{"a failure", replay.Result{Outcome: replay.Failed}, finding.Failure, false},
		{"a pass", replay.Result{Outcome: replay.Passed, Took: limit}, finding.Failure, false},
		{"no end where a failure is expected", replay.Result{Outcome: replay.Unfinished}, finding.Failure, true},
		{"a hang", replay.Result{Outcome: replay.Unfinished, Took: limit}, finding.Hang, false},
		{"a slow pass where a hang is expected", replay.Result{Outcome: replay.Passed, Took: limit / 2}, finding.Hang, true},
	} {
		if err := inconclusive(tt.r, outcome(tt.r, tt.kind, limit)); (err != nil) != tt.want {
			t.Errorf("%s: the error is %v, want one: %v", tt.name, err, tt.want)
		}
	}
}

func TestAReplayThatDidNotRunProvesNothing(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome replay.Outcome
		notRun  bool
		isErr   bool
	}{
		{"a failure", replay.Failed, false, false},
		{"none", replay.Passed, false, false},
		{"no end", replay.Unfinished, false, false},
		{"an input that was not run", replay.NotRun, true, true},
		{"an input that was skipped", replay.Skipped, true, true},
		{"a process that was killed", replay.Killed, false, true},
	} {
		err := unknown(replay.Result{Outcome: tt.outcome, Why: "why"})
		var notRun *engine.NotRunError
		if (err != nil) != tt.isErr || errors.As(err, &notRun) != tt.notRun {
			t.Errorf("%s: %v", tt.name, err)
		}
		if notRun != nil && notRun.Why != "why" || tt.isErr && !tt.notRun && err.Error() != "why" {
			t.Errorf("%s: the reason is %v", tt.name, err)
		}
	}
}

func TestAReplayHasTheArgumentsOfTheUser(t *testing.T) {
	r := Replayer{Target: "FuzzX", Config: executor.Config{
		Path: "x.test", Dir: "d", Env: []string{"A=1"}, Timeout: time.Second,
		Args: []string{
			"-test.fuzzworker", "-test.paniconexit0", "-test.timeout=0", "-test.run=^$", "--test.fuzz=^FuzzX$", "-test.fuzzcachedir=c", "-test.v=true",
			"-test.short", "-db=x", "-test.parallel=3", "-test.testlogfile=l",
		},
	}}
	got := r.test("^FuzzX$/^1f$")
	if want := []string{"-test.paniconexit0", "-test.short", "-db=x"}; !slices.Equal(got.Args, want) {
		t.Errorf("the arguments are %q, want %q", got.Args, want)
	}
	if got.Path != "x.test" || got.Dir != "d" || !slices.Equal(got.Env, []string{"A=1"}) || got.Pattern != "^FuzzX$/^1f$" || got.Limit != time.Second {
		t.Errorf("the test is %+v", got)
	}
}

func TestABinaryThatCannotBeBuiltIsAnErrorOfTheReplay(t *testing.T) {
	broken := errors.New("a source has changed")
	r := Replayer{Target: "FuzzX", Plain: func(context.Context) (string, error) { return "", broken }}
	if _, err := r.Replay(t.Context(), "a", finding.Hang); !errors.Is(err, broken) {
		t.Errorf("the replay of a hang: %v", err)
	}
	if _, _, err := r.Time(t.Context(), "a", time.Second); !errors.Is(err, broken) {
		t.Errorf("the time: %v", err)
	}
}

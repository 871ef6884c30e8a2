package proof

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

func TestAnInputFailsByWhatWasFound(t *testing.T) {
	const limit = 10 * time.Second
	for _, tt := range []struct {
		name string
		r    result
		kind finding.Kind
		want Verdict
	}{
		{"a failure", result{outcome: failed}, finding.Failure, Fails},
		{"none", result{outcome: passed, took: limit}, finding.Failure, Passes},
		{"no time left instead of a failure", result{outcome: unfinished}, finding.Failure, Passes},
		{"a hang", result{outcome: unfinished, took: limit}, finding.Hang, Fails},
		{"a process that ends instead of a hang", result{outcome: failed}, finding.Hang, Fails},
		{"no hang, but slow", result{outcome: passed, took: limit / 2}, finding.Hang, Slow},
		{"no hang, and quick", result{outcome: passed, took: time.Millisecond}, finding.Hang, Passes},
		{"a process that the system killed where too much memory is expected", result{outcome: killed}, finding.Memory, Fails},
		{"a skipped input where too much memory is expected", result{outcome: skipped}, finding.Memory, Passes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := verdictOf(tt.r, tt.kind, limit); err != nil || got != tt.want {
				t.Errorf("verdictOf = %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestAProcessThatIsNotConclusiveIsAnError(t *testing.T) {
	const limit = 10 * time.Second
	for _, tt := range []struct {
		name string
		r    result
		kind finding.Kind
		want bool
	}{
		{"a failure", result{outcome: failed}, finding.Failure, false},
		{"a pass", result{outcome: passed, took: limit}, finding.Failure, false},
		{"no end where a failure is expected", result{outcome: unfinished}, finding.Failure, true},
		{"a hang", result{outcome: unfinished, took: limit}, finding.Hang, false},
		{"a slow pass where a hang is expected", result{outcome: passed, took: limit / 2}, finding.Hang, true},
	} {
		v, err := verdictOf(tt.r, tt.kind, limit)
		if err != nil {
			t.Fatal(err)
		}
		if err := inconclusive(tt.r, v); (err != nil) != tt.want {
			t.Errorf("%s: the error is %v, want one: %v", tt.name, err, tt.want)
		}
	}
}

func TestTheTimeOfAnInputIsThatOfTheProcessor(t *testing.T) {
	const limit = 5 * time.Second
	for _, tt := range []struct {
		name  string
		r     result
		want  time.Duration
		ended bool
	}{
		{"on an idle machine", result{outcome: passed, took: time.Second, processor: time.Second}, time.Second, true},
		{"on a busy machine", result{outcome: passed, took: 2 * time.Second, processor: 480 * time.Millisecond}, 500 * time.Millisecond, true},
		{"that passes too late", result{outcome: passed, took: 6 * time.Second, processor: 6 * time.Second}, 6 * time.Second, false},
		{"that fails", result{outcome: failed, took: time.Second, processor: time.Second}, time.Second, false},
	} {
		if took, ended := timed(tt.r, limit); took != tt.want || ended != tt.ended {
			t.Errorf("%s: timed = %v, %v, want %v, %v", tt.name, took, ended, tt.want, tt.ended)
		}
	}
}

func TestAnInputThatDidNotRunProvesNothing(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome outcome
		notRun  bool
		isErr   bool
	}{
		{"a failure", failed, false, false},
		{"none", passed, false, false},
		{"no end", unfinished, false, false},
		{"an input that was not run", notRun, true, true},
		{"an input that was skipped", skipped, true, true},
		{"a process that was killed", killed, false, true},
	} {
		_, err := verdictOf(result{outcome: tt.outcome, why: "why"}, finding.Failure, time.Second)
		var notRun *NotRunError
		if (err != nil) != tt.isErr || errors.As(err, &notRun) != tt.notRun {
			t.Errorf("%s: %v", tt.name, err)
		}
		if notRun != nil && notRun.Why != "why" || tt.isErr && !tt.notRun && err.Error() != "why" {
			t.Errorf("%s: the reason is %v", tt.name, err)
		}
	}
}

func TestGoTestHasTheArgumentsOfTheUser(t *testing.T) {
	r := GoTest{Target: "FuzzX", Config: executor.Config{
		Path: "x.test", Dir: "d", Env: []string{"A=1"}, Timeout: time.Second,
		Args: []string{
			"-test.fuzzworker", "-test.paniconexit0", "-test.timeout=0", "-test.run=^$", "--test.fuzz=^FuzzX$", "-test.fuzzcachedir=c", "-test.v=true",
			"-test.short", "-db=x", "-test.parallel=3", "-test.testlogfile=l",
		},
	}}
	got := r.test("^FuzzX$/^1f$")
	if want := []string{"-test.paniconexit0", "-test.short", "-db=x"}; !slices.Equal(got.args, want) {
		t.Errorf("the arguments are %q, want %q", got.args, want)
	}
	if got.path != "x.test" || got.dir != "d" || !slices.Equal(got.env, []string{"A=1"}) || got.pattern != "^FuzzX$/^1f$" || got.limit != time.Second {
		t.Errorf("the test is %+v", got)
	}
}

func TestABinaryThatCannotBeBuiltIsAnError(t *testing.T) {
	broken := errors.New("a source has changed")
	r := GoTest{Target: "FuzzX", Plain: func(context.Context) (string, error) { return "", broken }}
	if _, err := r.Prove(t.Context(), Execution{Name: "a"}, &finding.Finding{Kind: finding.Hang}); !errors.Is(err, broken) {
		t.Errorf("the replay of a hang: %v", err)
	}
	if _, _, err := r.Time(t.Context(), Execution{Name: "a"}, time.Second); !errors.Is(err, broken) {
		t.Errorf("the time: %v", err)
	}
}

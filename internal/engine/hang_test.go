package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// hangs is a process that was ended because of an input.
func hangOf(in string) *executor.Exit {
	stack := "\n\ngoroutine 7 [running]:\nexample.com/m.spin(...)\n\t/src/m/m.go:3 +0x1d\n"
	return &executor.Exit{
		Err: errors.New("exit status 2"), Hang: true, Timeout: time.Second, Input: args(in), Stderr: "SIGQUIT: quit" + stack,
	}
}

func TestAHangIsReplayedBeforeItIsAFinding(t *testing.T) {
	const hanging = 6 // requests, each with an input of its own
	for _, tt := range []struct {
		name     string
		replay   proof.Verdict
		replays  int // of the input, of what is left of it, and to prove it
		findings int
		flaky    bool
	}{
		{"it fails there too", proof.Fails, 1 + 1 + replaysOfMany, 1, false},
		{"it ends in time there, after long", proof.Slow, hanging, 0, false},                  // the next one may not
		{"it ends at once there", proof.Passes, 1 + 1 + replaysOfMany + hanging - 1, 1, true}, // the next one may not
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.opts.KeepGoing, l.opts.PlainReplay, l.opts.Minimize.Time = true, true, time.Minute
			l.opts.MaxExecs = 100 * hanging
			l.replay = func(string, finding.Kind) proof.Verdict { return tt.replay }
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if strings.HasPrefix(data, "X") {
					return wire.Ran{}, hangOf(data)
				}
				return pass, nil
			}
			n := 0
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if n++; n <= hanging {
					return executor.Fuzzed{}, hangOf(fmt.Sprintf("X%d", n))
				}
				return allOf(m), nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != tt.findings || len(l.files(l.opts.CorpusDir)) != tt.findings {
				t.Fatalf("Run = %v, %v with the files %v", out.Findings, err, l.files(l.opts.CorpusDir))
			}
			if tt.findings > 0 && (out.Findings[0].Flaky != tt.flaky || out.Findings[0].Replays == 0) {
				t.Errorf("the finding is %+v, flaky shall be %v", out.Findings[0], tt.flaky)
			}
			if warnings := len(warningsOf(l)); len(l.replayed) != tt.replays || warnings != 1-tt.findings {
				t.Errorf("%d replays and %d warnings, want %d and %d", len(l.replayed), warnings, tt.replays, 1-tt.findings)
			}
			if n <= hanging || out.Final.Execs < l.opts.MaxExecs {
				t.Errorf("the run ended after %d requests and %d executions", n, out.Final.Execs)
			}
		})
	}
}

func TestARunThatExecutionsLimitEndsAfterSomeHangs(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit uint64 // of executions; 0: the time ends the run
		cut   bool
	}{
		{"executions limit the run", 1000 * maxHung, true},
		{"time limits the run", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.opts.KeepGoing, l.opts.PlainReplay, l.opts.MaxExecs = true, true, tt.limit
			l.replay = func(string, finding.Kind) proof.Verdict { return proof.Slow }
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if strings.HasPrefix(data, "X") {
					return wire.Ran{}, hangOf(data)
				}
				return pass, nil
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			n := 0
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if n++; n > 2*maxHung {
					cancel()
					return allOf(m), nil
				}
				return executor.Fuzzed{}, hangOf(fmt.Sprintf("X%d", n))
			}
			f := New(l.options())
			if err := f.Fuzz(ctx, 0, 0, 1); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			checkGoroutines(t)
			if cut := f.Undecided() != ""; cut != tt.cut || cut != f.Exhausted() || (n == maxHung) != tt.cut {
				t.Errorf("after %d hangs the run is cut short: %v, and exhausted: %v, want %v", n, cut, f.Exhausted(), tt.cut)
			}
		})
	}
}

func TestASlowSeedIsNoFinding(t *testing.T) {
	for _, keepGoing := range []bool{false, true} {
		t.Run(fmt.Sprintf("keep going %v", keepGoing), func(t *testing.T) {
			l := newLab(t)
			l.seeds("slow", "fast")
			l.opts.KeepGoing, l.opts.PlainReplay, l.opts.MaxExecs = keepGoing, true, 100
			l.replay = func(string, finding.Kind) proof.Verdict { return proof.Slow }
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if data == "slow" {
					return wire.Ran{}, hangOf(data)
				}
				return pass, nil
			}
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if f.known[m.ID] == "slow" {
					t.Error("the slow seed is mutated")
				}
				return allOf(m), nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) > 0 || out.Final.Execs < 100 {
				t.Errorf("Run = %+v, %v", out, err)
			}
			if w, s := len(warningsOf(l)), len(eventsOf[event.SeedFailed](l)); w != 1 || s != 0 {
				t.Errorf("%d warnings and %d seeds that fail", w, s)
			}
		})
	}
}

func TestTheEndOfTheTimeMakesNoHangAFinding(t *testing.T) {
	l := newLab(t)
	l.opts.PlainReplay = true
	o := l.options()
	o.Replay = func(ctx context.Context, _ proof.Execution, _ *finding.Finding) (proof.Verdict, error) {
		return proof.Slow, ctx.Err()
	}
	r := newEngine(o)
	ctx, end := context.WithCancel(t.Context())
	end()
	r.turn.outer, r.turn.ctx = t.Context(), ctx // its time is over, and nobody wants it to end
	r.turn.cancel = end
	if err := r.verifier.died(&slot{}, hangOf("X1"), nil); err != nil {
		t.Error(err)
	}
	if len(r.ledger.findings) > 0 || len(l.files(l.opts.CorpusDir)) > 0 || len(warningsOf(l)) != 1 {
		t.Errorf("the findings are %v, with the files %v", r.ledger.findings, l.files(l.opts.CorpusDir))
	}
}

func TestARunWithSlowSeedsOnly(t *testing.T) {
	for _, tt := range []struct {
		name string
		zero bool // the zero value passes
		want error
	}{
		{"goes on with the zero value", true, nil},
		{"ends with an error if that is slow too", false, errNothing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("slow", "slower")
			l.opts.PlainReplay, l.opts.MaxExecs = true, 100
			l.replay = func(string, finding.Kind) proof.Verdict { return proof.Slow }
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if data == "" && tt.zero {
					return pass, nil
				}
				return wire.Ran{}, hangOf(data)
			}
			out, err := l.goFuzz(t.Context())
			if !errors.Is(err, tt.want) || len(out.Findings) > 0 || tt.zero != (out.Final.Execs >= 100) {
				t.Errorf("Run = %v, %v after %d executions", out.Findings, err, out.Final.Execs)
			}
		})
	}
}

// A process takes longer to start than a candidate may take until it counts as a hang.
func TestTheStartOfAProcessIsNoHang(t *testing.T) {
	l := newLab(t)
	l.opts.KeepGoing = true
	r := newEngine(l.options())
	r.turn.outer, r.turn.ctx = t.Context(), t.Context()
	start := r.Start
	r.Start = func(ctx context.Context) (Worker, wire.Hello, error) {
		if _, bounded := ctx.Deadline(); bounded {
			t.Error("a process has to start within the time of an execution")
		}
		return start(ctx)
	}
	l.run = func(ctx context.Context, _ *fakeWorker, _ string) (wire.Ran, error) {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("the execution of a candidate is not bounded")
		}
		return pass, nil
	}
	m := &minimization{minimizer: r.verifier.minimizer, slot: &slot{}, f: &finding.Finding{Kind: finding.Hang, Input: args("long")}, ctx: t.Context()}
	if got, err := m.try(args("l"), false); got != nil || err != nil {
		t.Errorf("try = %v, %v; want that it passes", got, err)
	}
}

// What hangs is known after the limit for one execution, which is as long as a turn: the turn waits for that.
func TestATurnWaitsForAnExecutionThatMayHang(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.KeepGoing = true
	preempted := make(chan struct{})
	l.onPreempt = sync.OnceFunc(func() { close(preempted) })
	l.fuzz = func(ctx context.Context, _ *fakeWorker, _ wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		select {
		case <-preempted:
			return executor.Fuzzed{}, hangOf("X1")
		case <-ctx.Done():
			return executor.Fuzzed{}, ctx.Err()
		}
	}
	target := New(l.options())
	if err := target.Fuzz(t.Context(), 50*time.Millisecond, time.Minute, 1); err != nil {
		t.Fatal(err)
	}
	if out := target.Outcome(); len(out.Findings) != 1 || out.Final.Unjudged != 0 {
		t.Errorf("%d findings and %d executions that were not judged, want 1 and none", len(out.Findings), out.Final.Unjudged)
	}
}

func TestAnExecutionThatIsCutShortIsNotJudged(t *testing.T) {
	for _, tt := range []struct {
		name    string
		err     error
		stopped bool // by the user
		want    int
	}{
		{"at the end of the time for which a turn waits", context.DeadlineExceeded, false, 1},
		{"by the end of the run", context.Canceled, false, 0},
		{"by the user", context.DeadlineExceeded, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			r := startTurn(t, l)
			if tt.stopped {
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				r.turn.outer = ctx
			}
			if err := r.verifier.lost(&slot{worker: &fakeWorker{lab: l}}, tt.err, nil); !errors.Is(err, tt.err) {
				t.Errorf("lost = %v, want %v", err, tt.err)
			}
			if got := r.Snapshot().Unjudged; got != tt.want {
				t.Errorf("%d executions are not judged, want %d", got, tt.want)
			}
		})
	}
}

// A process that hangs before it gets to fuzzing takes no more than its turn.
func TestAProcessThatStartsHasNoOvertime(t *testing.T) {
	o := newLab(t).options()
	const length = 50 * time.Millisecond
	o.KeepGoing = true
	o.Start = func(ctx context.Context) (Worker, wire.Hello, error) {
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > length {
			t.Errorf("it may start until %v, %v", end, ok)
			return nil, wire.Hello{}, errors.New("too late")
		}
		<-ctx.Done()
		return nil, wire.Hello{}, ctx.Err()
	}
	if err := New(o).Fuzz(t.Context(), length, time.Hour, 1); err != nil {
		t.Errorf("the end of the turn is reported as %v", err)
	}
}

// The turn waits for what may hang, and tells all else to end: a check that is cut short so is for the next turn.
func TestACheckThatTheEndOfATurnCutsShortIsMadeInTheNextOne(t *testing.T) {
	r := startTurn(t, newLab(t))
	c := check{args("seed"), oracle.Leak}
	r.oracles.note(c, time.Millisecond, 0)
	if len(r.queue.cut) != 0 {
		t.Error("a check that has come to its end is made again")
	}
	r.turn.rest(r.turn.number)
	if r.oracles.note(c, time.Millisecond, 0); len(r.queue.cut) != 1 {
		t.Error("a check that was cut short is forgotten")
	}
}

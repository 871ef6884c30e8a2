package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// killedBy is a process that a signal ended while it executed an input.
func killedBy(in string) error {
	return &executor.Exit{Err: errors.New("signal: terminated"), External: true, Stage: shm.Running, Input: args(in), Execs: 1}
}

func TestPlainGoTestDecidesWhoHasSentASignal(t *testing.T) {
	for _, tt := range []struct {
		name     string
		kills    int                    // of processes by a signal
		plain    bool                   // plain go test ends by it
		apart    func(data string) bool // another fuzzing process does
		findings int
		flaky    bool
		input    string
		warnings int
		unjudged bool
	}{
		{"the input", 90, true, func(data string) bool { return strings.Contains(data, "K") }, 1, false, "K", 0, false},
		{"the input, but not in plain go test", 90, false, func(data string) bool { return strings.Contains(data, "K") }, 1, true, "K", 0, false},
		{"something outside", maxSignals, false, func(string) bool { return false }, 0, false, "", 1, false},
		{"nobody knows who, again and again", maxSignals + 1, false, func(string) bool { return false }, 0, false, "", 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.opts.KeepGoing, l.opts.Restart, l.opts.MaxExecs, l.opts.Minimize.Time = true, true, 10000, time.Minute
			n := 0
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if n++; n > 2*tt.kills {
					return allOf(m), nil
				}
				if n%2 == 0 { // others are executed in between
					return executor.Fuzzed{Done: wire.Done{Execs: 1, Nanos: 1000}}, nil
				}
				return executor.Fuzzed{}, killedBy("long K input")
			}
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if data != "seed" && tt.apart(data) {
					return wire.Ran{}, killedBy(data)
				}
				return pass, nil
			}
			l.replay = func(data string, kind finding.Kind) proof.Verdict {
				if kind == finding.Signal && tt.plain && tt.apart(data) {
					return proof.Fails
				}
				return proof.Passes
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != tt.findings {
				t.Fatalf("Run = %+v, %v; want %d findings", out.Findings, err, tt.findings)
			}
			if w := restartsOf(l); len(w) != tt.warnings {
				t.Errorf("the warnings are %v, want %d", w, tt.warnings)
			}
			if (out.Final.Unjudged > 0) != tt.unjudged {
				t.Errorf("%d executions are not judged", out.Final.Unjudged)
			}
			if tt.findings == 0 {
				return
			}
			f := out.Findings[0]
			if f.Kind != finding.Signal || f.Flaky != tt.flaky || f.Message != "signal: terminated" || l.checkFile(f.Path) != tt.input {
				t.Errorf("the finding is %+v in %q, want flaky %v and %q", f, l.checkFile(f.Path), tt.flaky, tt.input)
			}
		})
	}
}

func TestASeedThatEndsItsProcessByASignalIsAFinding(t *testing.T) {
	l := newLab(t)
	l.seeds("bad", "good")
	l.opts.KeepGoing, l.opts.Restart, l.opts.MaxExecs = true, true, 100
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "bad" {
			return wire.Ran{}, killedBy(data)
		}
		return pass, nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 || out.Findings[0].Seed != "seed bad" || out.Findings[0].Flaky || out.Final.SeedsLeft != 0 {
		t.Errorf("Run = %+v, %v, with %d seeds left; want the seed", out.Findings, err, out.Final.SeedsLeft)
	}
}

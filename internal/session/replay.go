package session

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/replay"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	// slowBy: an input that hangs in a fuzzing process and takes at least 1/slowBy of the limit in plain go test is slow, not flaky.
	// With the race detector, instrumentation makes a loop up to fifty times as slow.
	slowBy = 64
	// failureBy times the limit for one execution is the time for the replay of a failure that is not a hang.
	failureBy = 4
)

// Replayer runs failing inputs of a target as plain go test does.
type Replayer struct {
	Config executor.Config
	Target string
	Plain  func(ctx context.Context) (path string, err error) // builds the binary without instrumentation; nil: it cannot be built
}

// Replay runs one file of testdata/fuzz, or a seed, as `go test -run=Target/name` does, with the flags of the user. The error is an
// *engine.NotRunError if that does not run the input.
func (p Replayer) Replay(ctx context.Context, name string, kind finding.Kind) (engine.Replayed, error) {
	_, got, err := p.replay(ctx, name, kind)
	return got, err
}

// replay is [Replayer.Replay], and also returns how the process ended.
func (p Replayer) replay(ctx context.Context, name string, kind finding.Kind) (r replay.Result, got engine.Replayed, err error) {
	t := p.test(report.RunPattern(p.Target, name))
	if kind == finding.Hang {
		if p.Plain != nil {
			if t.Path, err = p.Plain(ctx); err != nil {
				return r, 0, err
			}
		}
	} else {
		t.Limit *= failureBy
	}
	if r, err = replay.Run(ctx, t); err != nil {
		return r, 0, err
	}
	switch {
	case r.Outcome == replay.Skipped && kind == finding.Memory:
		return r, engine.ReplayPassed, nil // the input needs the memory before the target skips it
	case r.Outcome == replay.Killed && kind == finding.Memory:
		return r, engine.ReplayFailed, nil // the system has no more memory
	}
	if err := unknown(r); err != nil {
		return r, 0, err
	}
	return r, outcome(r, kind, p.Config.Timeout), nil
}

// Time runs one file of testdata/fuzz as plain go test does, in the binary without instrumentation, and returns the time that the target
// took. ended is false if the input did not pass within the limit.
func (p Replayer) Time(ctx context.Context, name string, limit time.Duration) (took time.Duration, ended bool, err error) {
	t := p.test(report.RunPattern(p.Target, name))
	if t.Path, err = p.Plain(ctx); err != nil {
		return 0, false, err
	}
	t.Limit = limit
	r, err := replay.Run(ctx, t)
	if err != nil {
		return 0, false, err
	}
	if err := unknown(r); err != nil {
		return 0, false, err
	}
	return r.Took, r.Outcome == replay.Passed && r.Took <= limit, nil
}

// unknown returns an error that says why a replay proves nothing; nil: it proves something. The error is an *engine.NotRunError if plain
// go test does not run the input.
func unknown(r replay.Result) error {
	switch r.Outcome {
	case replay.NotRun, replay.Skipped:
		return &engine.NotRunError{Why: r.Why}
	case replay.Killed:
		return errors.New(r.Why)
	}
	return nil
}

// outcome returns what a replay shows about a finding. limit is the limit for one execution.
func outcome(r replay.Result, kind finding.Kind, limit time.Duration) engine.Replayed {
	switch {
	case kind != finding.Hang && r.Outcome == replay.Failed:
		return engine.ReplayFailed
	case kind != finding.Hang: // the end of the time is another failure
		return engine.ReplayPassed
	case r.Outcome != replay.Passed:
		return engine.ReplayFailed
	case r.Took >= limit/slowBy:
		return engine.ReplaySlow
	}
	return engine.ReplayPassed
}

// test returns how to run a pattern of tests as plain go test does.
func (p Replayer) test(pattern string) replay.Test {
	t := replay.Test{
		Path: p.Config.Path, Dir: p.Config.Dir, Env: p.Config.Env, Target: p.Target, Pattern: pattern,
		Limit: p.Config.Timeout, Start: executor.StartLimit(p.Config.Timeout),
	}
	t.Args = UserArgs(p.Config.Args)
	return t
}

// UserArgs returns the arguments of a worker process without those that gnaw and the go command give it.
func UserArgs(args []string) (users []string) {
	for _, a := range args {
		if !ofFuzzing(a) {
			users = append(users, a)
		}
	}
	return users
}

// PlainOutput returns the last lines that a target and its seeds print in plain go test; empty: they pass.
func PlainOutput(ctx context.Context, c executor.Config, target string) string {
	return replay.Output(ctx, Replayer{Config: c, Target: target}.test("^"+target+"$"))
}

// ofFuzzing reports whether an argument of a worker process is about fuzzing, selects tests, or makes the process write
// files that belong to the run of go test.
func ofFuzzing(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	switch name {
	case "test.run", "test.skip", "test.bench", "test.timeout", "test.count", "test.testlogfile", "test.parallel", "test.gocoverdir", "test.v":
		return true
	}
	return strings.HasPrefix(name, "test.fuzz")
}

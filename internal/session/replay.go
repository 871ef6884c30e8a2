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
	// slowBy: what hangs in a fuzzing process and took no less than a part of the limit in plain go test is slow, not a matter of
	// chance. With the race detector instrumentation made a loop fifty times as slow.
	slowBy = 64
	// failureBy is how many times the limit for one execution a failure that is no hang may take to show again.
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
	t := p.test(report.RunPattern(p.Target, name))
	if kind == finding.Hang {
		if p.Plain != nil {
			path, err := p.Plain(ctx)
			if err != nil {
				return 0, err
			}
			t.Path = path
		}
	} else {
		t.Limit *= failureBy
	}
	r, err := replay.Run(ctx, t)
	if err != nil {
		return 0, err
	}
	switch {
	case r.Outcome == replay.Skipped && kind == finding.Memory:
		return engine.ReplayPassed, nil // it needs the memory there too, and is skipped behind that or not
	case r.Outcome == replay.Killed && kind == finding.Memory:
		return engine.ReplayFailed, nil // by the system, which has no more
	}
	if err := unknown(r); err != nil {
		return 0, err
	}
	return judge(r, kind, p.Config.Timeout), nil
}

// Time runs one file of testdata/fuzz as plain go test does, in the binary without instrumentation, and returns how long the target took
// with it. ended is false if it did not pass within the limit.
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

// unknown returns an error that says why a replay proves nothing; nil: it does. It is an *engine.NotRunError if plain go test does not
// run the input.
func unknown(r replay.Result) error {
	switch r.Outcome {
	case replay.NotRun, replay.Skipped:
		return &engine.NotRunError{Why: r.Why}
	case replay.Killed:
		return errors.New(r.Why)
	}
	return nil
}

// judge says what a replay tells about a finding. limit is the time of an execution.
func judge(r replay.Result, kind finding.Kind, limit time.Duration) engine.Replayed {
	switch {
	case kind != finding.Hang && r.Outcome == replay.Failed:
		return engine.ReplayFailed
	case kind != finding.Hang: // that its time was up is another failure
		return engine.ReplayPassed
	case r.Outcome != replay.Passed:
		return engine.ReplayFailed
	case r.Took >= limit/slowBy:
		return engine.ReplaySlow
	}
	return engine.ReplayPassed
}

// test is what runs a pattern of tests as plain go test does.
func (p Replayer) test(pattern string) replay.Test {
	t := replay.Test{
		Path: p.Config.Path, Dir: p.Config.Dir, Env: p.Config.Env, Target: p.Target, Pattern: pattern,
		Limit: p.Config.Timeout, Start: executor.StartLimit(p.Config.Timeout),
	}
	for _, a := range p.Config.Args {
		if !ofFuzzing(a) {
			t.Args = append(t.Args, a)
		}
	}
	return t
}

// PlainOutput returns the last lines that a target and its seeds print in plain go test, nothing if that passes.
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

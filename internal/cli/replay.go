package cli

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// replayGrace is how much longer than the limit for one execution a test process may take to replay one input: to start,
// to set up the test, to print the stacks of a hang.
const replayGrace = 10 * time.Second

// slowBy: what hangs in a fuzzing process and took no less than a part of the limit in plain go test is slow, not a matter of
// chance. With the race detector instrumentation made a loop fifty times as slow.
const slowBy = 64

// replayer runs failing inputs of a target as plain go test does.
type replayer struct {
	config executor.Config
	target string
	plain  func(ctx context.Context) (path string, err error) // builds the binary without instrumentation; nil: it cannot be built
}

// replay runs one file of testdata/fuzz as `go test -run=Target/name` does, with the flags of the user.
func (p replayer) replay(ctx context.Context, name string, kind finding.Kind) (engine.Replayed, error) {
	c, limit := p.config, p.config.Timeout
	if kind == finding.Hang && p.plain != nil {
		var err error
		if c.Path, err = p.plain(ctx); err != nil {
			return 0, err
		}
	}
	if kind != finding.Hang {
		limit += replayGrace // the setup of the test counts
	}
	patience := limit
	r, err := replayOnce(ctx, c, p.target, name, patience)
	if err == nil && r.starved(limit) {
		patience *= executor.StarvedPatience
		r, err = replayOnce(ctx, c, p.target, name, patience)
	}
	if err != nil {
		return 0, err
	}
	return r.judge(kind, limit, patience), nil
}

// judge says what a replay tells about a finding. limit is the time of an execution on a machine with nothing else to do, and patience
// the one that it had.
func (r rerun) judge(kind finding.Kind, limit, patience time.Duration) engine.Replayed {
	if kind != finding.Hang {
		if r.failed && (patience == 0 || r.took < patience) {
			return engine.ReplayFailed
		}
		return engine.ReplayPassed // or its time was up, which is another failure
	}
	switch {
	case r.failed, patience > limit && r.processor >= limit:
		return engine.ReplayFailed
	case r.took >= limit/slowBy:
		return engine.ReplaySlow
	}
	return engine.ReplayPassed
}

// rerun is how a replay ended.
type rerun struct {
	failed    bool
	took      time.Duration
	processor time.Duration // that it had
}

// starved reports whether the time was up because the process did not get a processor.
func (r rerun) starved(limit time.Duration) bool {
	return r.failed && limit > 0 && r.took >= limit && executor.Starved(r.processor, limit)
}

func replayOnce(ctx context.Context, c executor.Config, target, name string, limit time.Duration) (r rerun, err error) {
	bounded, cancel := context.WithTimeout(ctx, limit+replayGrace)
	defer cancel()
	cmd := plainCommand(bounded, c, report.RunPattern(target, name), limit)
	begin := time.Now()
	lost := executor.Standstill(func() { err = executor.RunApart(cmd) })
	r.took = time.Since(begin)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil && lost > 0 { // by time that was nobody's, perhaps
		return replayOnce(ctx, c, target, name, limit)
	}
	if s := cmd.ProcessState; s != nil {
		r.processor = s.UserTime() + s.SystemTime()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) || bounded.Err() != nil {
		r.failed = true
		return r, nil
	}
	return r, err
}

// plainCommand runs tests as plain go test does.
func plainCommand(ctx context.Context, c executor.Config, pattern string, limit time.Duration) *exec.Cmd {
	args := []string{"-test.run=" + pattern, "-test.timeout=" + limit.String()}
	for _, a := range c.Args {
		if !ofFuzzing(a) {
			args = append(args, a)
		}
	}
	cmd := exec.CommandContext(ctx, c.Path, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.WaitDelay = time.Second
	return cmd
}

// saidLines is how many lines are kept of what a test prints.
const saidLines = 20

// plainOutput returns the last lines that a target and its seeds print in plain go test, nothing if that passes.
func plainOutput(ctx context.Context, c executor.Config, target string) string {
	limit := c.Timeout + replayGrace
	bounded, cancel := context.WithTimeout(ctx, limit+replayGrace)
	defer cancel()
	var out strings.Builder
	cmd := plainCommand(bounded, c, "^"+target+"$", limit)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := executor.RunApart(cmd); err == nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return strings.Join(lines[max(0, len(lines)-saidLines):], "\n")
}

// ofFuzzing reports whether an argument of a worker process is about fuzzing, selects tests, or makes the process write
// files that belong to the run of go test.
func ofFuzzing(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	switch name {
	case "test.run", "test.skip", "test.bench", "test.timeout", "test.count", "test.testlogfile", "test.parallel", "test.gocoverdir":
		return true
	}
	return strings.HasPrefix(name, "test.fuzz")
}

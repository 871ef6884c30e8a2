package cli

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

// replayGrace is how much longer than the limit for one execution a test process may take to replay one input: to start,
// to set up the test, to print the stacks of a hang.
const replayGrace = 10 * time.Second

// replay runs one file of testdata/fuzz as `go test -run=Target/name` does, with the flags of the user, and reports
// whether that fails.
func replay(ctx context.Context, c executor.Config, target, name string) (failed bool, err error) {
	args := []string{"-test.run=^" + target + "$/^" + name + "$", "-test.timeout=" + c.Timeout.String()}
	for _, a := range c.Args {
		if !ofFuzzing(a) {
			args = append(args, a)
		}
	}
	bounded, cancel := context.WithTimeout(ctx, c.Timeout+replayGrace)
	defer cancel()
	cmd := exec.CommandContext(bounded, c.Path, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) || bounded.Err() != nil {
		return true, nil
	}
	return false, err
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

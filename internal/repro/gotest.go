package repro

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// goTest runs go test. command returns its command, with more flags.
func (o Options) goTest(ctx context.Context, command func(more ...string) *exec.Cmd) (Result, error) {
	group.LeaveTerminal() // otherwise the terminal stops a test that reads its standard input
	cmd := command()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Stdin, o.Stdout, o.Stderr
	err := group.Run(ctx, cmd)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		return Result{Failed: true, Code: exit.ExitCode()}, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("run go test: %w", err)
	}
	// A test that passes proves nothing if it did not run the input.
	var out bytes.Buffer
	again := command("-v")
	again.Stdout = &out
	if err := group.Run(ctx, again); err == nil && !RanInput(out.String(), o.Record.Target) {
		return Result{}, fmt.Errorf("go test passes, but it does not run the input of %s: the target may be skipped, or the test process may "+
			"run in another folder", o.ID)
	}
	return Result{}, nil
}

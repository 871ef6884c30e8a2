package code

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// Command returns a command that runs the go command in s.Dir. The arguments have no build flags of s.
func (s Source) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(cmp.Or(s.Go, "go"), args...)
	cmd.Dir, cmd.Env = s.Dir, s.Environ
	if filepath.IsAbs(s.Dir) {
		cmd.Env = append(slices.Clip(cmd.Env), "PWD="+s.Dir) // keeps the user's own name for a folder reached through a link
	}
	return cmd
}

// Output runs the go command in s.Dir and returns its standard output, with an error too. If the command cannot be run or fails, the error is
// a [*CommandError].
func (s Source) Output(ctx context.Context, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := s.Command(args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := group.Run(ctx, cmd); err != nil {
		return stdout.Bytes(), &CommandError{strings.TrimSpace(stderr.String()), err}
	}
	return stdout.Bytes(), nil
}

// CommandError is a go command that could not be run, or that failed.
type CommandError struct {
	Said string // what it printed on standard error
	Err  error  // the exit status, or why it was not run
}

// Error returns what the command said, in place of its exit status.
func (e *CommandError) Error() string {
	var exit *exec.ExitError
	if errors.As(e.Err, &exit) && e.Said != "" {
		return e.Said
	}
	return e.Err.Error()
}

// Unwrap returns the exit status, or why the command was not run.
func (e *CommandError) Unwrap() error { return e.Err }

package gocommand

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// Said runs the go command in dir and returns all that it prints.
func (tc *Toolchain) Said(ctx context.Context, dir string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := tc.Source(dir, nil).Command(args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := group.Run(ctx, cmd)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	return strings.TrimSpace(out.String()), err
}

// Traced runs the go command with -x in dir, and passes the lines of its error output to command. It returns no output, because -x mixes the
// lines of errors with those of commands.
func (tc *Toolchain) Traced(ctx context.Context, dir string, args []string, command func(line string)) error {
	cmd := tc.Source(dir, nil).Command(slices.Insert(slices.Clone(args), 1, "-x")...)
	cmd.Stderr = &lineWriter{each: command}
	return group.Run(ctx, cmd)
}

// Output runs the go command in dir and returns what it prints; what it says on standard error is part of the error.
func (tc *Toolchain) Output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return tc.Source(dir, nil).Output(ctx, args...)
}

// maxTraced is how many bytes of a line a lineWriter keeps. The import path is near the beginning of a command.
const maxTraced = 4096

// lineWriter calls a function for the beginning of each line that is written to it.
type lineWriter struct {
	each func(line string)
	line []byte
}

// Write implements [io.Writer].
func (w *lineWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		w.line = append(w.line, line[:min(len(line), maxTraced-len(w.line))]...)
		if whole {
			w.each(string(w.line))
			w.line = w.line[:0]
		}
		rest = after
	}
	return len(p), nil
}

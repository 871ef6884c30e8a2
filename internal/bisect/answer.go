package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// exitCodes are the exit codes by which a command answers git bisect run.
var exitCodes = map[Verdict]int{Passes: 0, Fails: 1, Untested: 125}

// exitAbort is the exit code that ends git bisect run.
const exitAbort = 128

// Answer tests the commit that is checked out, for `git bisect run`, which reads the exit code. file says how to test it. Answer prints the
// commit as one line of JSON.
func Answer(ctx context.Context, environ []string, file string, out io.Writer) (exitCode int, err error) {
	c, err := answer(ctx, environ, file)
	if err == nil {
		err = json.NewEncoder(out).Encode(c)
	}
	if err != nil {
		return exitAbort, err
	}
	return exitCodes[c.Verdict], nil
}

func answer(ctx context.Context, environ []string, file string) (c Commit, err error) {
	text, err := disk.Read(file, disk.MaxInput)
	if err != nil {
		return c, fmt.Errorf("read how to test a commit: %w", err)
	}
	// The go command stays in the process group of git, which ends when gnaw bisect is interrupted.
	t := trial{run: func(_ context.Context, cmd *exec.Cmd) error { return cmd.Run() }}
	if err := json.Unmarshal(text, &t); err != nil {
		return c, fmt.Errorf("read how to test a commit: %w", err)
	}
	if c.Hash, err = project.Git(ctx, environ, t.Tree, "rev-parse", "HEAD"); err != nil {
		return c, err
	}
	c.Verdict, _, err = t.here(ctx, environ)
	return c, err
}

// answers calls a function with each commit that [Answer] has printed. It skips what git prints between.
type answers struct {
	each func(Commit)
	rest []byte // of a line that has not ended
}

// Write implements io.Writer.
func (l *answers) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ended := bytes.Cut(l.rest, []byte("\n"))
		if !ended {
			return len(p), nil
		}
		l.rest = rest
		var c Commit
		if err := json.Unmarshal(line, &c); err == nil && c.Hash != "" {
			l.each(c)
		}
	}
}

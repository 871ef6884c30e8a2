package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// GoCommand runs the input of a finding with the go command, as a person does.
type GoCommand struct {
	Go     string         // path of the go command
	Dir    string         // working directory
	Env    []string       // as os.Environ
	Record finding.Record // the finding; go test finds its input in its file, or among the seeds
	Root   string         // folder of the module, for [GoCommand.Judge]
	// Run runs a command until it ends, or ctx.
	Run func(ctx context.Context, cmd *exec.Cmd) error
}

// Show runs go test with more flags for a person who sees its output. code is its exit code if it fails; 0: it passes. ran is false if it passes
// and did not run the input, which proves nothing. The error says that it could not be run.
func (c GoCommand) Show(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, more ...string) (code int, ran bool, err error) {
	cmd := c.command(more...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	err = c.Run(ctx, cmd)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		return exit.ExitCode(), true, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("run go test: %w", err)
	}
	var out bytes.Buffer
	again := c.command(slices.Concat(more, []string{"-v"})...)
	again.Stdout = &out
	err = c.Run(ctx, again)
	return 0, err != nil || ranInput(out.String(), c.Record.Target), nil
}

// Judge runs go test with more flags and says what its output shows about the finding. proves is false if it shows nothing: the test did not
// run the input, was not built, or failed in another way. The error says that go test could not be run.
func (c GoCommand) Judge(ctx context.Context, more ...string) (v Verdict, proves bool, output string, err error) {
	cmd := c.command(slices.Concat([]string{"-v"}, more)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = c.Run(ctx, cmd)
	output = out.String()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return Passes, ranInput(output, c.Record.Target), output, nil
	case !errors.As(err, &exit):
		return 0, false, output, fmt.Errorf("run go test: %w", err)
	}
	return Fails, c.shows(output), output, nil
}

// command returns the command that runs the input, with more flags of go test.
func (c GoCommand) command(more ...string) *exec.Cmd {
	cmd := exec.Command(c.Go, goTestArgs(c.Record, more...)...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	return cmd
}

// goTestArgs returns the arguments with which the go command runs the input of a finding, in the folder of its package,
// or in that of the main module for a finding of a dependency. more are further flags of go test. The output is text,
// whatever GOFLAGS says.
func goTestArgs(r finding.Record, more ...string) []string {
	name := r.Seed
	if r.Path != "" {
		name = filepath.Base(filepath.FromSlash(r.Path))
	}
	pkg := "."
	if r.Dependency != nil {
		pkg = r.Package
	}
	args := []string{"test", "-json=false", "-run=" + report.RunPattern(r.Target, name)}
	if r.Count > 0 {
		args = append(args, report.CountFlag(r))
	}
	args = slices.Concat(args, r.Flags, []string{pkg}, more)
	if len(r.Args) > 0 && !slices.Contains(more, "-args") {
		args = append(append(args, "-args"), r.Args...)
	}
	return args
}

// ranInput reports whether the output of go test -v shows that an input of a target was run. An input that the target skips counts: many
// targets skip inputs that are not valid.
func ranInput(output, target string) bool { return strings.Contains(output, "=== RUN   "+target+"/") }

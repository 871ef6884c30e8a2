package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// verdictCommand is the hidden command by which `git bisect run` has gnaw test the commit that is checked out. Its argument is a
// file with a trial, its output one commitJSON without a subject.
const verdictCommand = "bisect-verdict"

// verdict is what a commit is found to be.
type verdict string

const (
	passes   verdict = "passes"
	fails    verdict = "fails"
	untested verdict = "cannot be tested"
)

// verdictCodes are the exit codes that git bisect run understands.
var verdictCodes = map[verdict]int{passes: 0, fails: 1, untested: 125}

// verdictError is the exit code that ends git bisect run.
const verdictError = 128

// runVerdict is the verdict command.
func runVerdict(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) != 1 {
		return 0, usagef("gnaw bisect has git start gnaw %s; to look for a commit, run gnaw bisect", verdictCommand)
	}
	v, err := verdictHere(ctx, env, args[0])
	if err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", err)
		return verdictError, nil
	}
	return verdictCodes[v], nil
}

// verdictHere tests the commit that is checked out as the trial in a file says.
func verdictHere(ctx context.Context, env Env, file string) (v verdict, err error) {
	text, err := disk.Read(file, disk.MaxInput)
	if err != nil {
		return v, fmt.Errorf("read how to test a commit: %w", err)
	}
	// The go command stays in the process group of git, which ends when gnaw bisect is interrupted.
	t := trial{run: func(_ context.Context, cmd *exec.Cmd) error { return cmd.Run() }}
	if err := json.Unmarshal(text, &t); err != nil {
		return v, fmt.Errorf("read how to test a commit: %w", err)
	}
	hash, err := project.Git(ctx, env.Environ, t.Tree, "rev-parse", "HEAD")
	if err != nil {
		return v, err
	}
	if v, _, err = t.here(ctx, env); err != nil {
		return v, err
	}
	return v, writeJSON(env.Stdout, commitJSON{Commit: hash, Verdict: v})
}

// verdictLines calls a function with each commit that the verdict command prints. What git prints beside is not looked at.
type verdictLines struct {
	each func(commitJSON)
	rest []byte // of a line that has not ended
}

// Write implements io.Writer.
func (l *verdictLines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ended := bytes.Cut(l.rest, []byte("\n"))
		if !ended {
			return len(p), nil
		}
		l.rest = rest
		var c commitJSON
		if err := json.Unmarshal(line, &c); err == nil && c.Commit != "" {
			l.each(c)
		}
	}
}

// trial is how a commit is tested: with the input of a finding in plain go test.
type trial struct {
	Record   finding.Record
	Go       string   // path of the go command
	GoEnv    []string // to be added to its environment
	Tree     string   // folder of the work tree, temporary
	Folder   string   // of the package, relative to the tree
	TestFile string   // name of the file with the target
	Test     []byte   // its content in HEAD, for commits that do not have the target yet

	run func(ctx context.Context, cmd *exec.Cmd) error // runs go test until it ends, or ctx
}

// here tests the commit that is checked out and leaves the work tree clean. said is what go test has printed, or why it was not run.
func (t *trial) here(ctx context.Context, env Env) (v verdict, said string, err error) {
	if v, said, err = t.try(ctx, env, false); err == nil && v == untested && ctx.Err() == nil {
		v, said, err = t.try(ctx, env, true)
	}
	if ctx.Err() != nil {
		return v, said, fmt.Errorf("look for the commit: %w", ctx.Err())
	}
	if err != nil {
		return v, said, err
	}
	if _, err = project.Git(ctx, env.Environ, t.Tree, "reset", "--quiet", "--hard"); err == nil {
		_, err = project.Git(ctx, env.Environ, t.Tree, "clean", "-fdxq") // the work tree is ours
	}
	return v, said, err
}

// try runs the input in plain go test. transplant puts the test file of HEAD into the package before: the target may be
// younger than the bug.
func (t *trial) try(ctx context.Context, env Env, transplant bool) (v verdict, said string, err error) {
	dir := filepath.Join(t.Tree, filepath.FromSlash(t.Folder))
	if _, err := os.Stat(dir); err != nil {
		return untested, "there is no folder " + t.Folder, nil
	}
	r := t.Record
	if transplant {
		if err := disk.Write(filepath.Join(dir, t.TestFile), t.Test); err != nil {
			return untested, "", fmt.Errorf("put the test file into the work tree: %w", err)
		}
	}
	if r.Path != "" {
		file := filepath.Join(dir, "testdata", "fuzz", r.Target, filepath.Base(filepath.FromSlash(r.Path)))
		h, err := corpus.TakeTemporaryFile(file, []byte(r.Input))
		if err != nil {
			return untested, "", err
		}
		defer func() { _ = h.Release() }() // the work tree is ours, and cleaned
	}
	more := []string{"-v", "-timeout=" + bisectTimeout}
	if r.Kind == finding.Race {
		more = append(more, "-race")
	}
	cmd := exec.Command(t.Go, replayArgs(r, more...)...)
	cmd.Dir = dir
	cmd.Env, _ = session.ReadableEnviron(append(project.OfOwnTree(env.Environ), t.GoEnv...))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = t.run(ctx, cmd)
	said = out.String()
	var exit *exec.ExitError
	switch {
	case err == nil && !ranInput(said, r.Target):
		return untested, said, nil
	case err == nil:
		return passes, said, nil
	case !errors.As(err, &exit):
		return untested, said, fmt.Errorf("run go test: %w", err)
	case t.isThis(said):
		return fails, said, nil
	}
	return untested, said, nil
}

// bisectTimeout is when a test counts as one that hangs. Compiling does not count.
const bisectTimeout = "30s"

// maxSame is how much of the words of two messages is compared: what comes before the message differs in length.
const maxSame = 80

// isThis reports whether the output of go test shows the finding, and not another failure: by the words of its message
// if there is one, or else by the function that fails.
func (t *trial) isThis(output string) bool {
	if strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]") {
		return false
	}
	r := t.Record
	if r.Kind == finding.Hang {
		return strings.Contains(output, "panic: test timed out")
	}
	if r.Kind == finding.Exit { // of which go test tells the code only if the target has printed nothing
		sig, _ := finding.OfProcess(output, finding.Unknown)
		return sig.Kind == finding.Unknown && !strings.Contains(output, "--- FAIL: ")
	}
	if r.Kind == finding.Failure && r.Message == "" { // a t.Fatal() that says nothing
		return strings.Contains(output, "--- FAIL: ") && !strings.Contains(output, "panic: ")
	}
	words := finding.Words(r.Message)
	words = words[:min(maxSame, len(words))]
	for line := range strings.Lines(output) {
		if words != "" && strings.Contains(finding.Words(line), words) {
			return true
		}
	}
	if words != "" || len(r.Calls) == 0 {
		return words == "" && strings.Contains(output, "FAIL")
	}
	return strings.Contains(output, r.Calls[0].Func+"(")
}

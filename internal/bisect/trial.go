package bisect

import (
	"bytes"
	"context"
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
	"github.com/gnaw-fuzz/gnaw/internal/repro"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// trial says how to test a commit with the input of a finding in plain go test.
type trial struct {
	Record   finding.Record
	Go       string   // path of the go command
	GoEnv    []string // variables for its environment
	Tree     string   // folder of the work tree, temporary
	Folder   string   // of the package, relative to the tree
	TestFile string   // name of the file with the target
	Test     []byte   // its content in HEAD, for commits that do not have the target yet

	run func(ctx context.Context, cmd *exec.Cmd) error // runs go test until it ends, or ctx
}

// here tests the commit that is checked out and leaves the work tree clean. output is what go test printed, or why it did not run.
func (t *trial) here(ctx context.Context, environ []string) (v Verdict, output string, err error) {
	if v, output, err = t.try(ctx, environ, false); err == nil && v == Untested && ctx.Err() == nil {
		v, output, err = t.try(ctx, environ, true)
	}
	if ctx.Err() != nil {
		return v, output, fmt.Errorf("look for the commit: %w", ctx.Err())
	}
	if err != nil {
		return v, output, err
	}
	if _, err = project.Git(ctx, environ, t.Tree, "reset", "--quiet", "--hard"); err == nil {
		_, err = project.Git(ctx, environ, t.Tree, "clean", "-fdxq") // the work tree has no files of the user
	}
	return v, output, err
}

// try runs the input in plain go test. With transplant, the package first gets the test file of HEAD, for commits that do not have the
// target yet.
func (t *trial) try(ctx context.Context, environ []string, transplant bool) (v Verdict, output string, err error) {
	dir := filepath.Join(t.Tree, filepath.FromSlash(t.Folder))
	if _, err := os.Stat(dir); err != nil {
		return Untested, "there is no folder " + t.Folder, nil
	}
	r := t.Record
	if transplant {
		if err := disk.Write(filepath.Join(dir, t.TestFile), t.Test); err != nil {
			return Untested, "", fmt.Errorf("put the test file into the work tree: %w", err)
		}
	}
	if r.Path != "" {
		file := filepath.Join(dir, "testdata", "fuzz", r.Target, filepath.Base(filepath.FromSlash(r.Path)))
		h, err := corpus.TakeTemporaryFile(file, []byte(r.Input))
		if err != nil {
			return Untested, "", err
		}
		defer func() { _ = h.Release() }() // the work tree is cleaned
	}
	more := []string{"-v", "-timeout=" + testTimeout}
	if r.Kind == finding.Race {
		more = append(more, "-race")
	}
	cmd := exec.Command(t.Go, repro.GoTestArgs(r, more...)...)
	cmd.Dir = dir
	cmd.Env, _ = session.ReadableEnviron(append(project.OfOwnTree(environ), t.GoEnv...))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = t.run(ctx, cmd)
	output = out.String()
	var exit *exec.ExitError
	switch {
	case err == nil && !repro.RanInput(output, r.Target):
		return Untested, output, nil
	case err == nil:
		return Passes, output, nil
	case !errors.As(err, &exit):
		return Untested, output, fmt.Errorf("run go test: %w", err)
	case t.isThis(output):
		return Fails, output, nil
	}
	return Untested, output, nil
}

// testTimeout is the time after which go test ends a test that hangs, without compiling.
const testTimeout = "30s"

// maxSame is how many bytes of the words of two messages are compared: what is before the message differs in length.
const maxSame = 80

// isThis reports whether the output of go test shows the finding, and not another failure: by the words of its message or, if there is
// none, by the first function of its stack.
func (t *trial) isThis(output string) bool {
	r := t.Record
	switch {
	case strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]"):
		return false
	case r.Kind == finding.Hang:
		return strings.Contains(output, "panic: test timed out")
	case r.Kind == finding.Exit: // go test prints the exit code only if the target prints nothing
		sig, _ := finding.OfProcess(output, finding.Unknown)
		return sig.Kind == finding.Unknown && !strings.Contains(output, "--- FAIL: ")
	case r.Kind == finding.Failure && r.Message == "": // t.Fatal()
		return strings.Contains(output, "--- FAIL: ") && !strings.Contains(output, "panic: ")
	}
	if words := t.words(); words != "" {
		for line := range strings.Lines(output) {
			if strings.Contains(finding.Words(line), words) {
				return true
			}
		}
		return false
	}
	if len(r.Calls) == 0 {
		return strings.Contains(output, "FAIL")
	}
	return strings.Contains(output, r.Calls[0].Func+"(")
}

// words returns the words that a line of the output has if it shows the finding; empty: the finding has no message.
func (t *trial) words() string {
	message := t.Record.Message
	if t.Record.Kind == finding.Panic && message != "" {
		if typ, _, ok := strings.Cut(message, ") "); ok && strings.HasPrefix(typ, "(") {
			message = typ + ")" // of a composite value go test prints the type and the address
		}
		message = "panic: " + message // which may be a number only
	}
	words := finding.Words(message)
	return words[:min(maxSame, len(words))]
}

package bisect

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// trial says how to test a commit with the input of a finding in plain go test.
type trial struct {
	Record   finding.Record
	Go       string   // path of the go command
	GoEnv    []string // variables for its environment
	Tree     string   // folder of the work tree, temporary
	User     string   // a folder in the work tree of the user
	Folder   string   // of the package, relative to the tree
	TestFile string   // name of the file with the target
	Test     []byte   // its content in HEAD, for commits that do not have the target yet

	run func(ctx context.Context, cmd *exec.Cmd) error // runs go test until it ends, or ctx
}

// here tests the commit that is checked out and leaves the work tree clean. output is what go test printed, or why it did not run.
func (t *trial) here(ctx context.Context, environ []string) (v Verdict, output string, err error) {
	missing, err := project.FillSubmodules(ctx, environ, t.Tree, t.User)
	if err != nil {
		return Untested, "", fmt.Errorf("put submodules into the work tree: %w", err)
	}
	if v, output, err = t.try(ctx, environ, false); err == nil && v == Untested && ctx.Err() == nil {
		v, output, err = t.try(ctx, environ, true)
	}
	if missing != "" && v == Untested {
		output += "\n" + missing
	}
	if ctx.Err() != nil {
		return v, output, fmt.Errorf("look for the commit: %w", ctx.Err())
	}
	if err != nil {
		return v, output, err
	}
	if err := project.EmptySubmodules(ctx, environ, t.Tree); err != nil {
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
	more := []string{"-timeout=" + testTimeout}
	if r.Kind == finding.Race {
		more = append(more, "-race")
	}
	c := proof.GoCommand{Go: t.Go, Dir: dir, Record: r, Root: t.Tree, Run: t.run}
	c.Env, _ = session.ReadableEnviron(append(project.OfOwnTree(environ), t.GoEnv...))
	got, proves, output, err := c.Judge(ctx, more...)
	switch {
	case err != nil || !proves:
		return Untested, output, err
	case got == proof.Fails:
		return Fails, output, nil
	}
	return Passes, output, nil
}

// testTimeout is the time after which go test ends a test that hangs, without compiling.
const testTimeout = "30s"

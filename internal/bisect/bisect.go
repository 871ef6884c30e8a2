// Package bisect finds the commit that introduced a finding. It tests commits with plain go test in a temporary git work tree, and has
// `git bisect run` choose them.
package bisect

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/repro"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Options says what to look for.
type Options struct {
	Folder  string         // absolute folder of the package of the finding, in a git work tree without changes
	Record  finding.Record // the finding; plain go test shows it
	Good    string         // a commit that passes; empty: it is looked for
	Environ []string       // as os.Environ
	Answer  []string       // a command that calls [Answer] with the file that is its last argument
	Tested  func(Commit)   // called with each commit that was tested
	Notices io.Writer      // gets a line if the work tree cannot be removed
}

// Commit is a commit that was tested, or that may have introduced the finding.
type Commit struct {
	Hash    string  `json:"commit"`            // full
	Subject string  `json:"subject,omitempty"` // first line of its message
	Verdict Verdict `json:"verdict"`
	Name    string  `json:"-"` // abbreviated hash and subject
	Stat    string  `json:"-"` // name, author, date and changed files, if it may have introduced the finding
}

// Verdict is what a commit is found to be.
type Verdict string

// The verdicts about a commit that was tested, and about the answer.
const (
	Passes   Verdict = "passes"
	Fails    Verdict = "fails"
	Untested Verdict = "cannot be tested"

	Introduced    Verdict = "introduced it"
	MayIntroduced Verdict = "may have introduced it" // the commits between cannot be tested
)

// Run returns the commit that introduced the finding, or those that may have if the commits between cannot be tested. The error is a
// *usage.Error if there is nothing to look for, or if the user has to change something before.
func Run(ctx context.Context, o Options) ([]Commit, error) {
	if o.Record.NotRun != "" {
		return nil, usage.Errorf("go test does not run this input, so gnaw bisect cannot test whether it still fails: %s", o.Record.NotRun)
	}
	o.Environ = repro.WithVariables(o.Environ, o.Record.Environ)
	b := &bisection{Options: o, trial: trial{Record: repro.WithFile(o.Record), run: group.RunTests}}
	if err := b.inspect(ctx); err != nil {
		return nil, err
	}
	if err := b.findTarget(ctx); err != nil {
		return nil, err
	}
	return b.inTree(ctx, b.search)
}

// bisection is a search in a work tree of its own.
type bisection struct {
	Options
	trial trial
	temp  string // temporary folder, which is removed at the end
}

// inspect checks the work tree of the user.
func (b *bisection) inspect(ctx context.Context) (err error) {
	if b.trial.Folder, err = b.userGit(ctx, "rev-parse", "--show-prefix"); err != nil {
		return usage.Errorf("%s is not in a git work tree, so there are no commits to look at (%w)", b.Folder, err)
	}
	if _, err := b.userGit(ctx, "rev-parse", "--verify", "--quiet", "HEAD"); ctx.Err() != nil {
		return err
	} else if err != nil {
		return usage.Errorf("the git work tree of %s has no commit yet, so there is none to look at", b.Folder)
	}
	changed, err := b.userGit(ctx, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return err
	}
	if changed != "" {
		return usage.Errorf("the work tree has changes that are not committed, and bisect looks at commits only; commit or stash them:\n%s", changed)
	}
	return nil
}

// findTarget finds the go command and the test file of the target in HEAD.
func (b *bisection) findTarget(ctx context.Context) error {
	tool, err := gocommand.FindToolchain(ctx, b.Folder, b.Environ)
	if err != nil {
		return err
	}
	b.trial.Go, b.trial.GoEnv = tool.Go, tool.Env
	t, err := session.FindTarget(ctx, tool, b.Folder, ".", b.Record.Target, b.Record.Flags)
	if err != nil {
		return err
	}
	b.trial.TestFile = filepath.Base(t.File)
	if b.trial.Test, err = disk.Read(t.File, disk.MaxSource); err != nil {
		return fmt.Errorf("read the test file of %s: %w", t.Func, err)
	}
	return nil
}

// inTree calls search with a temporary work tree, and removes the work tree.
func (b *bisection) inTree(ctx context.Context, search func(context.Context) ([]Commit, error)) (found []Commit, err error) {
	tree, err := project.AddTree(ctx, b.Environ, b.Folder, "HEAD")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := tree.Remove(ctx); err != nil {
			fmt.Fprintf(b.Notices, "gnaw: %v\n", err)
		}
	}()
	b.temp, b.trial.Tree, b.trial.User = tree.Temp, tree.Dir, b.Options.Folder
	return search(ctx)
}

// userGit runs git in the work tree of the user.
func (b *bisection) userGit(ctx context.Context, args ...string) (string, error) {
	return project.Git(ctx, b.Environ, b.Folder, args...)
}

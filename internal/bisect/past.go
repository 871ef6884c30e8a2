package bisect

import (
	"context"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/repro"
)

// Past is a commit in a temporary work tree, in which findings of a later state of the same repository are tested. It is for one goroutine.
type Past struct {
	environ []string
	tree    *project.Tree
}

// OpenPast checks a commit out. The folder dir is in the repository. The caller calls Close.
func OpenPast(ctx context.Context, environ []string, dir, commit string) (*Past, error) {
	tree, err := project.AddTree(ctx, environ, dir, commit)
	if err != nil {
		return nil, err
	}
	return &Past{environ, tree}, nil
}

// Test says what the input of a finding does in the commit, in plain go test. If the target cannot run it there, as it did not exist or took
// other arguments, the package gets the test file of today. folder is the absolute folder of the package today, and output what go test printed,
// or why it did not run. The error is about git or the toolchain, or that of ctx.
func (p *Past) Test(ctx context.Context, folder string, r finding.Record) (v Verdict, output string, err error) {
	b := &bisection{
		Options: Options{Folder: folder, Record: r, Environ: repro.WithVariables(p.environ, r.Environ)},
		trial:   trial{Record: repro.WithFile(r), Tree: p.tree.Dir, User: folder, run: group.RunTests},
	}
	if b.trial.Folder, err = b.userGit(ctx, "rev-parse", "--show-prefix"); err != nil {
		return Untested, "", err
	}
	if err := b.findTarget(ctx); err != nil {
		return Untested, "", err
	}
	return b.trial.here(ctx, b.Environ)
}

// Close removes the work tree, even after ctx has ended. The error names the folder, which may still exist.
func (p *Past) Close(ctx context.Context) error { return p.tree.Remove(ctx) }

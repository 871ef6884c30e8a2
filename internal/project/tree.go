package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Tree is a temporary git work tree.
type Tree struct {
	Dir  string // its root
	Temp string // the folder of Dir, for files that are removed with it

	environ []string
	user    string // a folder of the work tree of the user
}

// AddTree makes a work tree of a revision of the repository that the folder dir is in. The caller removes it.
func AddTree(ctx context.Context, environ []string, dir, revision string) (*Tree, error) {
	temp, err := os.MkdirTemp("", "gnaw-tree-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for a work tree: %w", err)
	}
	t := &Tree{Dir: filepath.Join(temp, "tree"), Temp: temp, environ: environ, user: dir}
	if _, err := Git(ctx, environ, dir, "worktree", "add", "--quiet", "--detach", t.Dir, revision); err != nil {
		_ = t.forget(ctx) // there may be nothing to remove, and the first error says why
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return t, nil
}

// forget removes the work tree from git. A work tree that git had no time to complete is locked, which takes the second --force.
func (t *Tree) forget(ctx context.Context) error {
	_, err := Git(context.WithoutCancel(ctx), t.environ, t.user, "worktree", "remove", "--force", "--force", t.Dir)
	return err
}

// Remove removes the work tree, also if ctx has ended, because git would remember it. The error names the folder that stays.
func (t *Tree) Remove(ctx context.Context) error {
	if err := errors.Join(t.forget(ctx), os.RemoveAll(t.Temp)); err != nil {
		return fmt.Errorf("the work tree stays in %s: %w", t.Temp, err)
	}
	return nil
}

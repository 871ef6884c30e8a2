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
	Temp string // the parent of Dir; Remove removes it with all files

	environ []string
	user    string // folder in the work tree of the user, in which git runs
}

// AddTree makes a temporary work tree of a revision. The folder dir is in the repository. The caller calls Remove. If there is an error,
// AddTree has removed what it made.
func AddTree(ctx context.Context, environ []string, dir, revision string) (*Tree, error) {
	temp, err := os.MkdirTemp("", "gnaw-tree-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for a work tree: %w", err)
	}
	t := &Tree{Dir: filepath.Join(temp, "tree"), Temp: temp, environ: environ, user: dir}
	if _, err := Git(ctx, environ, dir, "worktree", "add", "--quiet", "--detach", t.Dir, revision); err != nil {
		_ = t.forget(ctx) // it fails if git has not begun to make the work tree
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return t, nil
}

// forget removes the work tree, and what git stores about it, even after ctx has ended. The second --force is for a work tree that git has not
// completed: git keeps it locked.
func (t *Tree) forget(ctx context.Context) error {
	_, err := Git(context.WithoutCancel(ctx), t.environ, t.user, "worktree", "remove", "--force", "--force", t.Dir)
	return err
}

// Remove removes the work tree, even after ctx has ended. The error names the folder, which may still exist.
func (t *Tree) Remove(ctx context.Context) error {
	if err := errors.Join(t.forget(ctx), os.RemoveAll(t.Temp)); err != nil {
		return fmt.Errorf("the work tree stays in %s: %w", t.Temp, err)
	}
	return nil
}

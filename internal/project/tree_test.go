package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// repository returns a git work tree with one commit of the file x. TMPDIR is another folder, which is empty.
func repository(t *testing.T) (dir, temp string) {
	t.Helper()
	dir, temp = t.TempDir(), t.TempDir()
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(variable, temp)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("1"), 0o666); err != nil {
		t.Fatal(err)
	}
	testkit.Git(t, dir, "init", "--quiet")
	testkit.Commit(t, dir, "one")
	return dir, temp
}

// nothingIsLeft fails if git knows a second work tree, or a temporary folder exists.
func nothingIsLeft(t *testing.T, dir, temp string) {
	t.Helper()
	if trees := testkit.Git(t, dir, "worktree", "list"); strings.Contains(trees, "\n") {
		t.Errorf("the work trees are\n%s", trees)
	}
	if list, err := os.ReadDir(temp); err != nil || len(list) > 0 {
		t.Errorf("the temporary folder has %v (%v)", list, err)
	}
}

func TestAWorkTreeIsRemovedAfterItsContextEnds(t *testing.T) {
	dir, temp := repository(t)
	ctx, cancel := context.WithCancel(t.Context())
	tree, err := AddTree(ctx, os.Environ(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{filepath.Join(tree.Dir, "x"): "2", filepath.Join(tree.Dir, "new"): "", filepath.Join(tree.Temp, "other"): ""} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	if err := tree.Remove(ctx); err != nil {
		t.Error(err)
	}
	nothingIsLeft(t, dir, temp)
}

func TestAWorkTreeThatCannotBeMadeLeavesNothing(t *testing.T) {
	dir, temp := repository(t)
	if _, err := AddTree(t.Context(), os.Environ(), dir, "missing"); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a missing revision: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := AddTree(ctx, os.Environ(), dir, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	nothingIsLeft(t, dir, temp)
}

func TestAShallowCloneIsNamed(t *testing.T) {
	dir, _ := repository(t)
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("2"), 0o666); err != nil {
		t.Fatal(err)
	}
	testkit.Commit(t, dir, "two")
	shallow := filepath.Join(t.TempDir(), "shallow")
	testkit.Git(t, dir, "clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(dir), shallow)
	if hint := ShallowHint(t.Context(), os.Environ(), shallow); !strings.Contains(hint, "`git fetch --unshallow`") {
		t.Errorf("the hint of a shallow clone is %q", hint)
	}
	for _, whole := range []string{dir, t.TempDir()} {
		if hint := ShallowHint(t.Context(), os.Environ(), whole); hint != "" {
			t.Errorf("the hint of %s is %q", whole, hint)
		}
	}
}

func TestTheErrorOfGitNamesTheCommand(t *testing.T) {
	for want, args := range map[string][]string{"git nosuch:": {"-c", "x.y=z", "--literal-pathspecs", "nosuch", "-x"}, "git rev-parse:": {"rev-parse", "--verify", "missing"}} {
		if _, err := Git(t.Context(), os.Environ(), t.TempDir(), args...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("git %v: %v, want %s", args, err, want)
		}
	}
}

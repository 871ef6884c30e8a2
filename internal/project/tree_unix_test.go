//go:build unix

package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

func TestAnInterruptWhileGitMakesAWorkTreeLeavesNothing(t *testing.T) {
	dir, temp := repository(t)
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	// Git runs the filter before git worktree add ends.
	if err := os.WriteFile(filepath.Join(dir, ".git", "info", "attributes"), []byte("x filter=slow\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	testkit.Git(t, dir, "config", "filter.slow.smudge", fmt.Sprintf("echo begun >'%s'; sleep 600", fifo))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		_, _ = os.ReadFile(fifo) // returns when the hook runs
	}()
	if _, err := AddTree(ctx, os.Environ(), dir, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	nothingIsLeft(t, dir, temp)
}

func TestHooksOfTheUserDoNotRun(t *testing.T) {
	dir, temp := repository(t)
	hooks := filepath.Join(dir, ".husky")
	if err := os.MkdirAll(hooks, 0o777); err != nil {
		t.Fatal(err)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	if err := os.WriteFile(filepath.Join(hooks, "post-checkout"), fmt.Appendf(nil, "#!/bin/sh\ntouch '%s'\nexit 1\n", ran), 0o777); err != nil {
		t.Fatal(err)
	}
	testkit.Git(t, dir, "config", "core.hooksPath", hooks)
	tree, err := AddTree(t.Context(), os.Environ(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Git(t.Context(), os.Environ(), tree.Dir, "checkout", "--quiet", "--detach", "HEAD"); err != nil {
		t.Error(err)
	}
	if err := tree.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a hook has run")
	}
	nothingIsLeft(t, dir, temp)
}

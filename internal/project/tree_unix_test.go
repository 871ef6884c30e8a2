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
	hook := filepath.Join(dir, ".git", "hooks", "post-checkout") // git runs it before git worktree add ends
	if err := os.MkdirAll(filepath.Dir(hook), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, fmt.Appendf(nil, "#!/bin/sh\necho begun >'%s'\nsleep 600\n", fifo), 0o777); err != nil {
		t.Fatal(err)
	}
	testkit.Git(t, dir, "config", "core.hooksPath", filepath.Dir(hook)) // the user may have another one
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

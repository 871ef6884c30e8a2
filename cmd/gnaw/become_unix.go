//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// become replaces this process by another program, so that signals and the exit code are its own.
func become(path string, argv, environ []string) int {
	signal.Reset()
	// Of a variable that is there twice, a program takes the first value that it meets, and os/exec the last one, as we do.
	err := syscall.Exec(path, argv, (&exec.Cmd{Env: environ}).Environ())
	fmt.Fprintf(os.Stderr, "gnaw: run %s: %v\n", path, err)
	return exitcode.Internal
}

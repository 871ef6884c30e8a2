//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/cli"
)

// become replaces this process by another program, so that signals and the exit code are its own.
func become(path string, argv, environ []string) int {
	err := syscall.Exec(path, argv, environ)
	fmt.Fprintf(os.Stderr, "gnaw: run %s: %v\n", path, err)
	return cli.ExitInternal
}

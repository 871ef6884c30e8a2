//go:build !unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// become runs another program with our streams and returns its exit code.
func become(path string, argv, environ []string) int {
	cmd := exec.Command(path, argv[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = environ, os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) {
		return cmd.ProcessState.ExitCode()
	}
	fmt.Fprintf(os.Stderr, "gnaw: run %s: %v\n", path, err)
	return exitcode.Internal
}

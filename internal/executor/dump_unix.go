//go:build unix && !linux

package executor

import (
	"os"
	"syscall"
)

// dump has a process print the stacks of all its goroutines and end. A Go program that catches SIGQUIT, which does that too,
// seldom catches SIGTRAP.
func dump(p *os.Process) { _ = p.Signal(syscall.SIGTRAP) }

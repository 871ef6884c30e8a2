//go:build !unix

package executor

import (
	"os"
	"os/exec"
)

// lead changes nothing: this system has no process groups.
func lead(*exec.Cmd) {}

// endGroup ends a process: this system has no process groups.
func endGroup(p *os.Process) { _ = p.Kill() }

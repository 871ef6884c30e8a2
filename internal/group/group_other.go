//go:build !unix

package group

import (
	"os"
	"os/exec"
)

// LeaveTerminal does nothing: this system has no groups in the background.
func LeaveTerminal() {}

// Lead changes nothing: this system has no process groups.
func Lead(*exec.Cmd) {}

// interrupt ends a process: this system has no interrupts.
func interrupt(p *os.Process) { Kill(p) }

// Kill ends a process: this system has no process groups. That it is gone is no error.
func Kill(p *os.Process) { _ = p.Kill() }

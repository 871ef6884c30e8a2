//go:build !unix

package group

import "os/exec"

// own does nothing: this system has no process groups.
func own(*exec.Cmd) {}

// interrupt ends the process: this system has no interrupts.
func interrupt(cmd *exec.Cmd) { kill(cmd) }

// kill ends the process. That it is gone is no error.
func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

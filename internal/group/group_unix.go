//go:build unix

package group

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// LeaveTerminal keeps the processes that are started from now on from being stopped by the terminal: a group other than that
// of gnaw is in the background there. What they read from it is an error for them. A process inherits which signals are
// ignored, also the program that gnaw becomes, and [signal.Reset] does not take that back: [Run] does without.
func LeaveTerminal() { signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU) }

// Lead has a command that is started later lead a process group of its own. A terminal sends ^C and ^Z to the group of
// gnaw only: a target that listens for signals, or runs commands, would fail by them.
func Lead(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt sends the group that a process leads what ^C sends. That a process is gone is no error.
func interrupt(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGINT) }

// Kill ends what is left of the process group that a process leads, or led if it was not waited for.
func Kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

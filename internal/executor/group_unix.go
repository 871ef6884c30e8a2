//go:build unix

package executor

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

// leaveTerminal keeps the processes of the groups that gnaw starts from being stopped by the terminal: they are in the
// background there. What they read from it is an error for them. A process inherits which signals are ignored.
var leaveTerminal = sync.OnceFunc(func() { signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU) })

// lead has a command that is started later lead a process group of its own. A terminal sends ^C and ^Z to the group of
// gnaw only: a target that listens for signals, or runs commands, would fail by them.
func lead(cmd *exec.Cmd) {
	leaveTerminal()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// endGroup ends what is left of the process group that a process leads, or led if it was not waited for.
func endGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

package group

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// RunLeashed runs a command in a process group of its own, which has left the terminal, and waits for its end. What is left of
// the group ends with the command, and all of it with gnaw.
func RunLeashed(cmd *exec.Cmd) (err error) {
	lifeline, life, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, life.Close()) }()
	cmd.ExtraFiles = append(cmd.ExtraFiles, lifeline)
	LeaveTerminal()
	Own(cmd)
	err = cmd.Start()
	if err == nil {
		err = Leash(lifeline, cmd.Process)
	}
	if closeErr := lifeline.Close(); err == nil {
		err = closeErr
	}
	if cmd.Process == nil {
		return err
	}
	if err != nil {
		End(cmd)
	}
	return errors.Join(err, Wait(cmd))
}

// Own has a command that is started later lead a process group of its own, and marks what it starts. If a context ends the command, it also
// ends that.
func Own(cmd *exec.Cmd) {
	Lead(cmd)
	mark(cmd)
	if kill := cmd.Cancel; kill != nil {
		cmd.Cancel = func() error {
			killOffspring(cmd)
			return kill()
		}
	}
}

// End ends the process of a command that was prepared by [Own], with all that it has started. If it was waited for, [Wait] has done that.
func End(cmd *exec.Cmd) {
	if !errors.Is(cmd.Process.Signal(syscall.Signal(0)), os.ErrProcessDone) {
		killOffspring(cmd)
		_ = cmd.Process.Kill()
	}
}

// Wait waits for a command that was prepared by [Own], and ends what it has left.
func Wait(cmd *exec.Cmd) error {
	early := awaitEnd(cmd.Process)
	if early {
		killRest(cmd)
	}
	err := cmd.Wait()
	if !early {
		killRest(cmd)
	}
	return err
}

// killRest ends what a command has left.
func killRest(cmd *exec.Cmd) {
	Kill(cmd.Process)
	killOffspring(cmd)
}

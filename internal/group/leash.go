package group

import (
	"errors"
	"os"
	"os/exec"
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
	Lead(cmd)
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
		Kill(cmd.Process)
	}
	return errors.Join(err, Wait(cmd, func() bool { return false }))
}

// Wait waits for a command that leads a process group, and ends what is left of the group, unless it may stay.
func Wait(cmd *exec.Cmd, mayStay func() bool) error {
	early := awaitEnd(cmd.Process)
	if early && !mayStay() {
		Kill(cmd.Process)
	}
	err := cmd.Wait()
	if !early && !mayStay() {
		Kill(cmd.Process)
	}
	return err
}

package executor

import (
	"errors"
	"os"
	"os/exec"
)

// RunApart runs a command in a process group of its own, as the processes of workers are run: what a terminal sends to gnaw
// does not reach it. What is left of the group ends with the command, and all of it with gnaw.
func RunApart(cmd *exec.Cmd) (err error) {
	lifeline, life, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, life.Close()) }()
	cmd.ExtraFiles = append(cmd.ExtraFiles, lifeline)
	lead(cmd)
	err = cmd.Start()
	if err == nil {
		err = leash(lifeline, cmd.Process)
	}
	if closeErr := lifeline.Close(); err == nil {
		err = closeErr
	}
	if cmd.Process == nil {
		return err
	}
	if err != nil {
		endGroup(cmd.Process)
	}
	return errors.Join(err, waitGroup(cmd, func() bool { return false }))
}

// waitGroup waits for a command that leads a process group, and ends what is left of the group, unless it may stay.
func waitGroup(cmd *exec.Cmd, mayStay func() bool) error {
	early := awaitEnd(cmd.Process)
	if early && !mayStay() {
		endGroup(cmd.Process)
	}
	err := cmd.Wait()
	if !early && !mayStay() {
		endGroup(cmd.Process)
	}
	return err
}

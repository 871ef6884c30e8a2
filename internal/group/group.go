// Package group runs commands in their own process groups, so that a signal also reaches the processes that they started: the
// compilers and tests of a go command, and the processes that a target started.
//
// [Run] runs a command that cleans up after an interrupt. [RunTests] is the same for a command that runs code of the user, and [RunLeashed]
// runs such a command that must end when gnaw ends. The other functions are for packages that communicate with their processes.
//
// Nothing that code of the user has started outlives its process. On Linux that also holds for processes that have left its group, as
// daemons do. They are recognized by a mark in their environment, or as descendants of a process that has it. One that has another
// environment, and whose parents have ended before, is not found.
package group

import (
	"context"
	"os/exec"
	"time"
)

const (
	// graceToEnd is how long a group may take to end when it is interrupted: the go command removes its temporary folder.
	graceToEnd = 3 * time.Second
	// graceToClose limits the wait for the rest of the output when the command has ended. On a busy machine it takes seconds until all
	// that a go command has written is read; a process that it has left behind may hold the output for ever.
	graceToClose = 10 * time.Second
)

// Run runs a command that was made by [exec.Command], in a process group of its own, and waits for its end. When ctx ends, the
// group is interrupted, and killed if it does not end soon; the error is that of ctx then.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	Lead(cmd)
	return run(ctx, cmd)
}

// RunTests is [Run] for a command that runs code of the user, and ends what this has left.
func RunTests(ctx context.Context, cmd *exec.Cmd) error {
	Own(cmd)
	err := run(ctx, cmd)
	if cmd.Process != nil {
		killOffspring(cmd)
	}
	return err
}

// run is [Run] for a command that leads a process group.
func run(ctx context.Context, cmd *exec.Cmd) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	cmd.WaitDelay = graceToClose
	if err := cmd.Start(); err != nil {
		return err
	}
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		watch(ctx, cmd, ended)
	}()
	err := cmd.Wait()
	close(ended)
	<-watched
	if ctx.Err() != nil {
		Kill(cmd.Process) // what the command has left
		return ctx.Err()
	}
	return err
}

// watch ends the group of a command when ctx ends.
func watch(ctx context.Context, cmd *exec.Cmd, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	interrupt(cmd.Process)
	select {
	case <-ended:
	case <-time.After(graceToEnd):
		Kill(cmd.Process)
	}
}

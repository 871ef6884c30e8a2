//go:build !unix

package e2e

import (
	"errors"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func interruptGroup(*exec.Cmd) error { return errors.ErrUnsupported }

//go:build unix

package worker

import "syscall"

// endGroup ends the process group of this process, with it, if it leads one.
func endGroup() {
	if syscall.Getpgrp() == syscall.Getpid() {
		_ = syscall.Kill(0, syscall.SIGKILL)
	}
}

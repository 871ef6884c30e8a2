//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// flock locks a file for this process alone or together with others. If others have locked it, it waits or fails.
func flock(f *os.File, alone, wait bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// isLocked reports whether an error of flock says that another process has the lock.
func isLocked(err error) bool { return errors.Is(err, syscall.EWOULDBLOCK) }

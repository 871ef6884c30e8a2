//go:build unix

package cli

import "golang.org/x/sys/unix"

// isForeground reports whether this process may read from a terminal and change its modes.
func isForeground(terminal uintptr) bool {
	group, err := unix.IoctlGetInt(int(terminal), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

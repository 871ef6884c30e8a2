//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package build

import (
	"errors"
	"os"
)

// lockFile fails: gnaw does not fuzz on this system.
func lockFile(*os.File, bool) error { return errors.ErrUnsupported }

// isLocked reports whether an error of lockFile says that another process has the lock.
func isLocked(error) bool { return false }

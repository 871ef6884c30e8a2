//go:build !darwin && !dragonfly && !freebsd && !illumos && !linux && !netbsd && !openbsd

package disk

import (
	"errors"
	"os"
)

// flock fails: gnaw does not fuzz on this system.
func flock(*os.File, bool, bool) error { return errors.ErrUnsupported }

// isLocked reports whether an error of flock says that another process has the lock.
func isLocked(error) bool { return false }

//go:build !linux

package executor

import "os"

// leash does nothing: this system does not end a process when a pipe is closed. Package work does, once the target is
// reached.
func leash(*os.File, *os.Process) error { return nil }

// unleash does nothing either.
func unleash(*os.File) error { return nil }

// awaitEnd reports false: this system does not tell that a process has ended without waiting for it.
func awaitEnd(*os.Process) bool { return false }

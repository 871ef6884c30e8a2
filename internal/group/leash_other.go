//go:build !linux

package group

import "os"

// Leash does nothing: this system does not end a process when a pipe is closed. Package work does, once the target is
// reached.
func Leash(*os.File, *os.Process) error { return nil }

// Unleash does nothing either.
func Unleash(*os.File) error { return nil }

// awaitEnd reports false: this system cannot report that a process has ended without waiting for it.
func awaitEnd(*os.Process) bool { return false }

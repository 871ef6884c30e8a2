//go:build !linux || loong64

package worker

// keepStderr does nothing on this system.
func keepStderr() {}

// restoreStderr reports that the standard error is what it was: on this system that is not known.
func restoreStderr() (redirected bool) { return false }

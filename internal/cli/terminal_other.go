//go:build !unix

package cli

// isForeground reports whether this process may read from a terminal and change its modes.
func isForeground(uintptr) bool { return true }

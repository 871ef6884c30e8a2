//go:build !unix

package work

// endGroup does nothing: this system has no process groups.
func endGroup() {}

//go:build !unix

package worker

// endGroup does nothing: this system has no process groups.
func endGroup() {}

// Package exitcode has the exit codes of gnaw. They are part of the interface: `gnaw help exit` documents them.
package exitcode

// The exit codes.
const (
	OK       = 0 // nothing was found, or the command did what it was asked to
	Finding  = 1 // a bug was found, or go test failed
	Usage    = 2 // wrong arguments
	Internal = 3 // gnaw itself failed: a file, a process, a toolchain that it does not know
	// Unreached: no bug was found, and the campaign ended before all targets were fuzzed, so it does not say that there is none; or before
	// inputs had reached all that they were to reach.
	Unreached = 4
)

//go:build !unix

package executor

import "os"

// dump ends a process: this system has no way to ask it for its stacks.
func dump(p *os.Process) { _ = p.Kill() }

// EndedFromOutside reports whether a process was ended by someone else, which this system does not tell.
func EndedFromOutside(*os.ProcessState) bool { return false }

// interrupted reports whether a process was ended by an interrupt, which this system does not tell.
func interrupted(*os.ProcessState) bool { return false }

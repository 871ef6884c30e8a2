//go:build !unix

package executor

import "os"

// dump ends a process: this system has no way to ask it for its stacks.
func dump(p *os.Process) { _ = p.Kill() }

// EndedFromOutside returns false: this system does not report who ended a process.
func EndedFromOutside(*os.ProcessState) bool { return false }

// interrupted returns false: this system does not report it.
func interrupted(*os.ProcessState) bool { return false }

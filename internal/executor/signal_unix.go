//go:build unix

package executor

import (
	"os"
	"syscall"
)

// EndedFromOutside reports whether a process was ended by a signal that a fault of its own does not raise.
func EndedFromOutside(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return false
	}
	switch status.Signal() {
	case syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGPIPE:
		return false
	}
	return true
}

// interrupted reports whether a process was ended by an interrupt.
func interrupted(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGINT
}

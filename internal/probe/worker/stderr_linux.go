//go:build linux && !loong64

package worker

import (
	"syscall"
	"unsafe"
)

// kept is a second descriptor of what the standard error was before the target ran; -1: there is none. now and before are the files that it and
// the standard error refer to when the process ends: then nothing can be allocated.
var (
	kept        = -1
	now, before syscall.Stat_t
)

// dupCloexec is F_DUPFD_CLOEXEC, which has the same number on each architecture.
const dupCloexec = 1030

// keepStderr has the descriptor of the standard error at hand for [restoreStderr]. It is called once, before any code of the target runs.
func keepStderr() {
	if fd, _, err := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(syscall.Stderr), dupCloexec, 0); err == 0 {
		kept = int(fd)
	}
}

// restoreStderr makes the standard error what it was before the target ran, where gnaw reads it. It reports whether the target had put another
// file in its place or had closed it. It may run on the stack of the system: see onDeath.
//
//go:norace
func restoreStderr() (redirected bool) {
	if kept < 0 {
		return false
	}
	if _, _, err := syscall.RawSyscall(syscall.SYS_FSTAT, uintptr(kept), uintptr(unsafe.Pointer(&before)), 0); err != 0 {
		return false // the target has closed the descriptor
	}
	_, _, err := syscall.RawSyscall(syscall.SYS_FSTAT, uintptr(syscall.Stderr), uintptr(unsafe.Pointer(&now)), 0)
	if err == 0 && now.Dev == before.Dev && now.Ino == before.Ino {
		return false
	}
	_, _, err = syscall.RawSyscall(syscall.SYS_DUP3, uintptr(kept), uintptr(syscall.Stderr), 0)
	return err == 0
}

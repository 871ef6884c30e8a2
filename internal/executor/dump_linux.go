package executor

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// dump makes a process print the stacks of all its goroutines and end. SIGQUIT does that too, but a Go program can catch or
// ignore it. A Go program can catch a SIGTRAP only if kill(2) has sent it, so this one is sent as if from a queue.
func dump(p *os.Process) {
	const fromQueue = -1          // SI_QUEUE
	info := [128 / 4]int32{}      // siginfo_t
	info[0] = int32(unix.SIGTRAP) // si_signo
	info[2] = fromQueue           // si_code
	_, _, errno := unix.Syscall(unix.SYS_RT_SIGQUEUEINFO, uintptr(p.Pid), uintptr(unix.SIGTRAP), uintptr(unsafe.Pointer(&info)))
	if errno != 0 {
		_ = p.Signal(unix.SIGTRAP)
	}
}

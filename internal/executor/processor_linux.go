package executor

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime returns how long the threads of a process have run, 0 if it is gone.
func ProcessorTime(pid int) time.Duration {
	// The clock of a process has the complement of its ID in the upper bits, and 2 for the scheduler's count of
	// nanoseconds: clock_getcpuclockid(3), which has no system call of its own.
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

package executor

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorUse returns the use of the processors by a process since it began. It is zero if the process is gone.
func ProcessorUse(pid int) Use {
	u := Use{Ran: processorTime(pid)}
	u.Waited, u.Known = queueTime("/proc/" + strconv.Itoa(pid) + "/task")
	return u
}

// processorTime returns how long the threads of a process have run, 0 if it is gone.
func processorTime(pid int) time.Duration {
	// The clock of a process has the complement of its ID in the upper bits, and 2 for the scheduler's count of
	// nanoseconds: clock_getcpuclockid(3), which has no system call of its own.
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// queueTime returns how long the threads in a folder of tasks were ready to run while others had the processors. The second number of
// schedstat is that time in nanoseconds. known is false if the kernel does not count it.
func queueTime(tasks string) (waited time.Duration, known bool) {
	threads, _ := os.ReadDir(tasks) // without the folder, the process is gone
	for _, thread := range threads {
		text, err := os.ReadFile(filepath.Join(tasks, thread.Name(), "schedstat"))
		fields := bytes.Fields(text)
		if err != nil || len(fields) < 2 {
			continue // the thread has ended
		}
		if n, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
			waited, known = waited+time.Duration(n), true
		}
	}
	return waited, known
}

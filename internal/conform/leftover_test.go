package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// watch ends what a script left running: at the end of the script, or when it is over its time. A fuzzer that hangs may
// have children that keep its output open, and then waiting for it would take forever. The returned function stops the
// watch; it reports how many processes it had to end.
//
// Only Linux tells which processes belong to a script; elsewhere watch does nothing.
func watch(work string, limit time.Duration) (stop func() int) {
	timer := time.AfterFunc(limit, func() { endProcesses(work) })
	return func() int {
		timer.Stop()
		// Processes that are about to end may do so by themselves.
		for range 20 {
			if len(processes(work)) == 0 {
				return 0
			}
			time.Sleep(50 * time.Millisecond)
		}
		return endProcesses(work)
	}
}

// processes finds the processes that were started with WORK=work in their environment, as all of a script's are.
func processes(work string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is well-formed
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), []byte("\x00WORK="+work+"\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

func endProcesses(work string) (ended int) {
	for _, pid := range processes(work) {
		if p, err := os.FindProcess(pid); err == nil && p.Kill() == nil {
			ended++
		}
	}
	return ended
}

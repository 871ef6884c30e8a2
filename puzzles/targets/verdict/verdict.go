// Package verdict ends a solved puzzle and reports the number of executions and the time to the solution, which neither gnaw nor
// go test prints.
package verdict

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// ReportEnv names the file that receives the first solution: executions of this process, and seconds since its start.
const ReportEnv = "PUZZLE_REPORT"

var (
	executions int
	began      = time.Now()
)

// Check counts an execution, and fails t if it is the one that solves the puzzle. It compares nothing: a fuzzer that looks
// at comparisons would see the count.
func Check(t *testing.T, solved bool) {
	executions++
	if solved {
		report()
		t.Fatal("solved")
	}
}

// report writes the file once: what minimizing executes does not count.
func report() {
	f, err := os.OpenFile(os.Getenv(ReportEnv), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, executions, time.Since(began).Seconds())
}

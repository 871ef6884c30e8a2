package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	// settledAt is the number of executions after which a worker has all its buffers and most of its entries.
	settledAt = 2_000_000
	// growthAllowed is how many bytes the live memory of a worker may grow by afterwards: new entries.
	growthAllowed = 4 << 20
)

// TestMemoryOfAWorkerStaysFlat executes ten million inputs in one process.
func TestMemoryOfAWorkerStaysFlat(t *testing.T) {
	t.Parallel()
	if !*flagLong {
		t.Skip("takes half a minute: -e2e.long")
	}
	const execs = 10_000_000
	w, dir := module(t, "memory")
	binary, samples := filepath.Join(w.dir, "memory.test"), filepath.Join(w.dir, "samples")
	w.compile(t, host.gnaw, dir, binary)
	r := w.start(t, dir, w.environ("MEMORY="+samples), binary, "-test.run=^$", "-test.fuzz=.", fmt.Sprintf("-test.fuzztime=%dx", execs),
		"-test.parallel=1", "-test.fuzzcachedir="+filepath.Join(w.dir, "corpus"))
	code, output := r.wait(t, 5*time.Minute)
	if code != 0 {
		t.Fatalf("exit code %d:\n%s", code, clip(output))
	}
	text, err := os.ReadFile(samples)
	if err != nil {
		t.Fatal(err)
	}
	var calls, live, system, settled int
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscan(line, &calls, &live, &system); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		t.Logf("%8d executions: %d KiB live, %d KiB from the system", calls, live>>10, system>>10)
		if calls <= settledAt {
			settled = live
		}
	}
	if calls < execs-settledAt/4 || settled == 0 {
		t.Fatalf("the samples end after %d executions: the process was started anew, or what it wrote is unreadable:\n%s", calls, text)
	}
	if live > settled+growthAllowed {
		t.Errorf("%d bytes are live after %d executions, %d were after %d", live, calls, settled, settledAt)
	}
}

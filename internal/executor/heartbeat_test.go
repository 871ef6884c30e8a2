package executor

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

func TestOnlyAnExecutionThatHadItsTimeHangs(t *testing.T) {
	const limit = 10 * time.Second
	use := func(ran, waited time.Duration) Use { return Use{Ran: ran, Waited: waited, Known: true} }
	for _, tt := range []struct {
		name  string
		took  time.Duration
		had   Use
		limit time.Duration
		want  bool
	}{
		{"an endless loop", limit + 1, use(limit+1, 0), limit, true},
		{"a deadlock", limit + 1, use(30*time.Millisecond, 0), limit, true},
		{"a deadlock on a busy machine", limit + time.Second, use(30*time.Millisecond, time.Second/2), limit, true},
		{"a system that does not report the use", limit + 1, Use{}, limit, true},
		{"an endless loop with a third of a processor", limit + 1, use(limit/3, 2*limit/3), limit, false},
		{"an endless loop with a twentieth of a processor", limit + 1, use(limit/20, 19*limit/20), limit, false},
		{"the same when it has had its time", 3 * limit, use(limit, 2*limit), limit, true},
		{"the same after a long time", 4*limit + 1, use(limit/5, 4*limit), limit, true},
		{"two threads with a half of a processor each", limit + 1, use(limit+1, limit), limit, true},
		{"a third of a processor, with a kernel that does not count waiting", limit + 1, Use{Ran: limit / 3}, limit, false},
		{"the time is not up", limit - 1, use(limit-1, 0), limit, false},
		{"there is no limit", limit + 1, use(limit+1, 0), 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now, had := time.Time{}, use(time.Minute, time.Minute) // it has run before
			had.Known = tt.had.Known
			seg := segment(t)
			seg.SetStage(shm.Running)
			execute(seg)
			h := newHeartbeat(seg, 0, func() time.Time { return now }, func() Use { return had })
			if h.hung(tt.limit) {
				t.Fatal("an execution hangs that has just begun")
			}
			now = now.Add(tt.took)
			had.Ran, had.Waited = had.Ran+tt.had.Ran, had.Waited+tt.had.Waited
			if got := h.hung(tt.limit); got != tt.want {
				t.Errorf("hung = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestANewExecutionHasAllItsTime(t *testing.T) {
	const limit = 10 * time.Second
	now := time.Time{}
	seg := segment(t)
	execute(seg) // in an earlier request
	h := newHeartbeat(seg, 1, func() time.Time { return now }, func() Use { return Use{Ran: now.Sub(time.Time{})} })
	seg.SetStage(shm.Fuzzing)
	if now = now.Add(busyFactor * limit); h.hung(limit) {
		t.Fatal("an execution of an earlier request hangs")
	}
	if now = now.Add(1); !h.hung(limit) {
		t.Fatal("nothing hangs although nothing is executed for a long time")
	}
	execute(seg)
	for range 3 {
		now = now.Add(limit / 2)
		if h.hung(limit) {
			t.Fatal("an execution hangs that had half of its time")
		}
		execute(seg)
		if now = now.Add(limit); h.hung(limit) {
			t.Fatal("an execution hangs that has just been seen for the first time")
		}
	}
	now = now.Add(limit + 1)
	if !h.hung(limit) {
		t.Error("an execution that has had its time does not hang")
	}
	if seg.SetStage(shm.Idle); h.hung(limit) {
		t.Error("a process that executes nothing hangs")
	}
}

// The time in which gnaw was stopped is not the time of an execution, whatever the process did then.
func TestTimeInWhichGnawStoodStillIsNobodys(t *testing.T) {
	const limit = 10 * time.Second
	now := time.Time{}
	clock := func() time.Time { return now }
	seg := segment(t)
	seg.SetStage(shm.Running)
	execute(seg)
	h := newHeartbeat(seg, 0, clock, func() Use { return Use{} })
	still := newStandstill(clock)
	look := func(after time.Duration) bool {
		now = now.Add(after)
		h.skip(still.lost())
		return h.hung(limit)
	}
	for range 3 {
		if look(time.Hour) {
			t.Fatal("an execution hangs although gnaw was stopped")
		}
	}
	looks := 0
	for !look(pulse) {
		looks++
	}
	if want := int(limit / pulse); looks < want-10 || looks > want {
		t.Errorf("after it was stopped three times, an execution hangs at look %d, want about %d", looks, want)
	}
}

// execute begins an execution.
func execute(seg *shm.Segment) {
	seg.Begin(1)
	seg.Commit(1)
}

func segment(t *testing.T) *shm.Segment {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "segment"))
	if err != nil {
		t.Fatal(err)
	}
	seg, err := shm.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := seg.Close(); err != nil {
			t.Error(err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	return seg
}

func TestTheUseOfTheProcessorsGrows(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system does not report the use by another process")
	}
	first := ProcessorUse(os.Getpid())
	if first.Ran <= 0 {
		t.Fatalf("this process has had the processor for %v", first.Ran)
	}
	const spun = 20 * time.Millisecond
	for ProcessorUse(os.Getpid()).Ran < first.Ran+spun { // forever if the clock stands still
		runtime.Gosched()
	}
	if had := ProcessorUse(1 << 23); had != (Use{}) { // more than the kernel gives
		t.Errorf("a process that does not exist has had the processor for %v", had)
	}
}

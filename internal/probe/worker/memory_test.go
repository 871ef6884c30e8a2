//go:build unix

package worker

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// guarded returns a worker that looks for the input that allocates too much when the target has been called so often.
func guarded(t *testing.T, calls int, f pretend) (*worker, *process) {
	t.Helper()
	guard := &memoryGuard{limit: 1 << 60, threshold: 1 << 60, most: 1 << 60, sample: []metrics.Sample{{Name: totalMetric}}}
	w, p := offline(t, func(t *testing.T, data []byte, p *process) {
		if p.calls == calls {
			guard.threshold = 1
			guard.tick.Add(1)
		}
		f(t, data, p)
		if p.calls == calls+1 {
			guard.threshold = 1 << 60 // nothing is greedy
		}
	}, strings.Repeat("a seed of some bytes ", 10))
	w.memory.guard = guard
	p.hit(0)
	w.run.cov.Merge(w.run.cov.Trace(nil))
	return w, p
}

// There are more inputs to look at than the ring holds twice: those that are executed again must not take the place of others.
func TestTheInputsThatMayAllocateTooMuchAreThoseOfTheBurst(t *testing.T) {
	const burst, fit = 1000, 64 << 10 / 260 // so many of some 220 bytes fit into the ring
	w, p := guarded(t, burst, func(*testing.T, []byte, *process) {})
	p.silent = false
	if _, err := w.loop.once(wire.Fuzz{}); err != nil {
		t.Fatal(err)
	}
	again := p.inputs[burst:]
	if len(again) < fit || len(again) >= burst {
		t.Fatalf("%d inputs were looked at, want %d and more", len(again), fit)
	}
	for i, in := range again {
		if before := p.inputs[burst-1-i]; !bytes.Equal(in, before) {
			t.Fatalf("%q was executed again as number %d, want %q", in, i, before)
		}
	}
}

func TestWhatShowsLateIsNotLostForMemory(t *testing.T) {
	shown := ""
	w, p := guarded(t, 9, func(_ *testing.T, data []byte, p *process) {
		if p.calls == 3 {
			shown = string(data)
		}
		if string(data) == shown {
			p.hit(3000)
		}
	})
	if again, err := w.loop.once(wire.Fuzz{}); err != nil || again {
		t.Fatalf("fuzzOnce = %v, %v, want the end that a new edge is", again, err)
	}
	if w.loop.end != endMemory || !w.run.cov.Known(3000*8) {
		t.Errorf("a burst of %d calls ended by %d, edge 3000 is known: %v", p.calls, w.loop.end, w.run.cov.Known(3000*8))
	}
}

// While the guard collects garbage, executions go on and leave more of it.
func TestGarbageSinceTheCollectionDoesNotCount(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	g := &memoryGuard{live: []metrics.Sample{{Name: liveMetric}}, marked: []metrics.Sample{{Name: markedMetric}}}
	runtime.GC()
	holds, survives := g.holds(), g.survives()
	garbage := make([]byte, 64<<20)
	if n := g.holds(); n < holds+64<<20 {
		t.Errorf("the heap holds %d bytes, and held %d before an allocation of 64 MiB", n, holds)
	}
	if n := g.survives(); n != survives {
		t.Errorf("%d bytes have survived the collection, and %d had before", n, survives)
	}
	runtime.KeepAlive(garbage)
}

// While the guard collects garbage, executions end and others allocate. All of them are in the heap of that collection, and none is too large.
func TestExecutionsDuringACollectionAreNotOneThatIsTooLarge(t *testing.T) {
	const each = 8 << 20
	g := &memoryGuard{
		live: []metrics.Sample{{Name: liveMetric}}, marked: []metrics.Sample{{Name: markedMetric}}, total: []metrics.Sample{{Name: totalMetric}},
	}
	type node struct{ next *node }
	var long *node // a collection takes a while
	for range 1 << 21 {
		long = &node{long}
	}
	before := g.kept()
	var stop atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !stop.Load() {
			runtime.KeepAlive(make([]byte, each))
		}
	}()
	for range 10 {
		if n := g.kept(); n > before+each+each/2 {
			t.Errorf("%d bytes are in use, and executions hold at most %d at a time", n-before, each)
		}
	}
	stop.Store(true)
	<-ended
	runtime.KeepAlive(long)
}

func TestAnExecutionThatIsOverIsNotTheOneThatNeedsTooMuch(t *testing.T) {
	for _, tt := range []struct {
		name  string
		holds int  // bytes
		ends  bool // executions end while the guard collects garbage
		want  []bool
	}{
		{"an execution under the limit", 1 << 20, false, []bool{false, false}},
		{"one execution above it", 64 << 20, false, []bool{true}},
		{"executions that end, and do not release memory", 64 << 20, true, []bool{false, true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, seg := segments(t)
			seg.SetStage(shm.Fuzzing)
			g := &memoryGuard{
				live: []metrics.Sample{{Name: liveMetric}}, marked: []metrics.Sample{{Name: markedMetric}}, total: []metrics.Sample{{Name: totalMetric}},
			}
			g.limit = g.kept() + 32<<20
			held := make([]byte, tt.holds)
			if tt.ends {
				keepExecuting(t, seg)
			}
			for i, want := range tt.want {
				if n := g.look(seg); (n > 0) != want {
					t.Errorf("look %d returns %d bytes, want more than 0: %v", i, n, want)
				}
			}
			runtime.KeepAlive(held)
		})
	}
}

// keepExecuting has executions follow each other, without a pause, until the test ends. It returns when the first one has begun.
func keepExecuting(t *testing.T, seg *shm.Segment) {
	var stop atomic.Bool
	begun, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for first := true; !stop.Load(); first = false {
			seg.Commit(len(append(seg.Begin(1), 'a')))
			if first {
				close(begun)
			}
		}
	}()
	t.Cleanup(func() { stop.Store(true); <-ended })
	<-begun
}

// An execution may allocate the limit many times, and drop it again.
func TestAnExecutionThatAllocatesMuchMayNeedLittle(t *testing.T) {
	const limit = 32 << 20
	for _, tt := range []struct {
		name    string
		holds   int // bytes, while it is executed once more
		periods uint32
		want    bool
	}{
		{"it holds more than the limit", 64 << 20, 100, true},
		{"it drops what it allocates", 1 << 20, 100, false},
		{"it is over before the watch has seen much", 1 << 20, 2, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := &memoryGuard{
				live: []metrics.Sample{{Name: liveMetric}}, marked: []metrics.Sample{{Name: markedMetric}}, total: []metrics.Sample{{Name: totalMetric}},
			}
			g.limit = g.kept() + limit
			held := make([]byte, tt.holds)
			runtime.KeepAlive(make([]byte, 2*limit)) // garbage
			g.notePeak()
			if got := g.needs(tt.periods); got != tt.want {
				t.Errorf("needs(%d) = %v with a peak of %d bytes and a limit of %d, want %v", tt.periods, got, g.peak.Load(), g.limit, tt.want)
			}
			runtime.KeepAlive(held)
		})
	}
}

func TestWhatIsDroppedIsNotLookedAtAgain(t *testing.T) {
	g := &memoryGuard{limit: 100, threshold: 100, most: 100}
	g.exceeded.Store(true)
	g.bear(300)
	g.raiseThreshold()
	if g.exceeded.Load() || g.most != 1200 || g.threshold != 400 {
		t.Errorf("the volume that counts is %d and the threshold %d, want 1200 and 400; an execution is to blame: %v", g.most, g.threshold, g.exceeded.Load())
	}
}

package work

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

const (
	// memoryPeriod is how often the heap is looked at. In that time no machine fills a gigabyte of memory, so an
	// allocation volume of that size within one period is a huge request, whether or not it is ever written to.
	memoryPeriod = 4 * time.Millisecond
	// suspects is how many recent inputs are run again to find the one that asked for too much.
	suspects = 4096
	// exitAsPanic is the exit code of a worker that ended itself: that of an uncaught panic.
	exitAsPanic = 2
	// exitLostPipes is the exit code of a worker whose pipes were closed; 70 is what testing uses for internal errors.
	exitLostPipes = 70
)

const (
	liveMetric   = "/memory/classes/heap/objects:bytes"
	markedMetric = "/gc/heap/live:bytes"
	totalMetric  = "/gc/heap/allocs:bytes"
)

// memoryGuard watches the heap against a limit. A goroutine looks at the size of the heap and ends the process when it
// is too large: at that moment the guilty execution is still under way. Requests so short that they are over by then
// show in the volume of allocation, which the loop looks at once per period.
//
// A resident guard counts memory that is really in use only, where the system tells: it keeps the machine alive when it is
// known that the target asks for too much.
type memoryGuard struct {
	limit    uint64
	jump     uint64 // volume of allocation that is worth a look, at most limit
	resident bool
	tick     atomic.Uint32 // incremented once per period
	last     uint32        // tick when jumped looked last
	volume   uint64        // bytes allocated until then
	sample   []metrics.Sample
	live     []metrics.Sample // of the goroutine that watches
	marked   []metrics.Sample // the same
	enough   atomic.Bool      // it shall end
	judged   atomic.Bool      // the loop has seen an execution that allocated more than the limit, and ends the process
	ended    chan struct{}    // closed when it has
}

func newMemoryGuard(limit uint64, resident bool, seg *shm.Segment) *memoryGuard {
	g := &memoryGuard{
		limit: limit, jump: limit, resident: resident, sample: []metrics.Sample{{Name: totalMetric}}, live: []metrics.Sample{{Name: liveMetric}},
		marked: []metrics.Sample{{Name: markedMetric}}, ended: make(chan struct{}),
	}
	g.volume = g.allocated()
	compare.Overlook([2]string{g.live[0].Name, g.marked[0].Name}) // metrics are kept in a map by name
	unseen(func() { g.watch(seg) })
	return g
}

// stop ends the watch; nil has none.
func (g *memoryGuard) stop() {
	if g != nil {
		g.enough.Store(true)
		<-g.ended
	}
}

// watch runs until stop.
func (g *memoryGuard) watch(seg *shm.Segment) {
	defer close(g.ended)
	for !g.enough.Load() {
		time.Sleep(memoryPeriod)
		g.tick.Add(1)
		if seg.Stage() == shm.Idle || g.holds() <= g.limit {
			continue
		}
		runtime.GC()
		if n := g.survives(); n > g.limit {
			holder, bytes := oracle.Holder()
			if g.judged.Load() {
				continue // the loop knows more
			}
			exitOverLimit(seg, fmt.Sprintf("the heap holds %d MiB", n>>20), ifMost(holder, bytes, n), g.limit)
		}
	}
}

// holds returns the bytes that are in use, garbage that was not collected yet included.
func (g *memoryGuard) holds() uint64 {
	if g.resident {
		return residentBytes()
	}
	metrics.Read(g.live)
	return g.live[0].Value.Uint64()
}

// survives returns the bytes that are in use behind a garbage collection: garbage that waits for one is nobody's fault, nor is what
// executions have left since.
func (g *memoryGuard) survives() uint64 {
	if g.resident {
		return residentBytes()
	}
	metrics.Read(g.marked)
	return g.marked[0].Value.Uint64()
}

// allocated returns the bytes allocated since the start of the process.
func (g *memoryGuard) allocated() uint64 {
	metrics.Read(g.sample)
	return g.sample[0].Value.Uint64()
}

// suspect makes volumes of n bytes and more worth a look, even if they are below the limit; 0 changes nothing.
func (g *memoryGuard) suspect(n uint64) {
	if n > 0 {
		g.jump = min(n, g.limit)
	}
}

// suspectMore makes a volume worth a look only if it is several times as large as those that were: mutants of a greedy
// input are greedy too.
func (g *memoryGuard) suspectMore() { g.jump = min(4*g.jump, g.limit) }

// jumped reports whether the executions since the last look allocated so much that it is worth a look. It costs one load
// unless a period has passed.
func (g *memoryGuard) jumped() bool {
	if t := g.tick.Load(); t != g.last && !g.resident {
		g.last = t
		return g.grown() > g.jump
	}
	return false
}

// grown returns the bytes allocated since the last look.
func (g *memoryGuard) grown() uint64 {
	before := g.volume
	g.volume = g.allocated()
	return g.volume - before
}

// forgetVolume makes the next checkMemory count from here on: what other executions and the machinery have allocated since
// the last look is not the fault of the next execution.
func (w *worker) forgetVolume() {
	if w.memory != nil {
		w.memory.grown()
	}
}

// checkMemory ends the process if the execution of a just made allocated more than the limit. It returns the bytes allocated
// since the last look.
func (w *worker) checkMemory(a input.Args) (n uint64) {
	if w.memory == nil || w.memory.resident {
		return 0
	}
	if n = w.memory.grown(); n > w.memory.limit {
		exitOverLimit(w.seg, fmt.Sprintf("one execution allocated %d MiB", n>>20), w.allocator(a, n), w.memory.limit)
	}
	return n
}

// allocator executes an input that has allocated n bytes once more and returns the stack that allocates most of them; nothing if there
// is none.
func (w *worker) allocator(a input.Args, n uint64) (stack string) {
	w.memory.judged.Store(true)
	places := oracle.NewAllocations()
	w.once(a)
	stack, bytes := places.Top()
	return ifMost(stack, bytes, n)
}

// ifMost returns the stack that has allocated so many bytes if these are more than half of all.
func ifMost(stack string, bytes, all uint64) string {
	if bytes <= all/2 {
		return ""
	}
	return stack
}

// findAllocator runs the recent inputs again, one by one, until one of them allocates more than the limit, which ends
// the process, or suspiciously much, which is told at the end of the request. If none does, the volume came from
// something that does not repeat.
func (w *worker) findAllocator() {
	for i, a := range w.executed(suspects) {
		// The newest one is looked at in any case: it may have taken so long that the request is to end.
		if w.finished() && (i > 0 || !w.seg.Preempted()) {
			return
		}
		w.forgetVolume()
		out := w.once(a)
		n := w.checkMemory(a)
		if n > w.memory.jump {
			w.memory.suspectMore()
			w.greedy = input.Append(nil, a)
			return
		}
		if out.failed {
			return // it will fail again in the course of fuzzing
		}
	}
}

// overLimit is set by the first call of exitOverLimit: the loop and the guard may both notice.
var overLimit atomic.Bool

// atOnePlace says that the first stack is that of the allocation. Package finding looks for it.
const atOnePlace = ", most of it allocated at one place"

// exitOverLimit ends the process as a fatal error of the runtime would, with the stacks of all goroutines. Before them comes the one
// that has allocated most, if there is such.
func exitOverLimit(seg *shm.Segment, what, allocator string, limit uint64) {
	if overLimit.Swap(true) {
		select {}
	}
	seg.SetCause(shm.Memory)
	if allocator != "" {
		what, allocator = what+atOnePlace, allocator+"\n"
	}
	fmt.Fprintf(standardError(), "fatal error: memory limit of %d MiB exceeded: %s\n\n%s%s\n", limit>>20, what, allocator, allStacks())
	os.Exit(exitAsPanic)
}

// exitLost ends a process that has no coordinator any more, and what the target has started: nobody else does.
func exitLost(seg *shm.Segment) {
	seg.SetCause(shm.Lost)
	endGroup()
	os.Exit(exitLostPipes)
}

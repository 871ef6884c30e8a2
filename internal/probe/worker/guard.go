package worker

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// memoryPeriod is how often the heap is looked at. In that time no machine fills a gigabyte of memory, so an
// allocation volume of that size within one period is a huge request, whether or not it is ever written to.
const memoryPeriod = 4 * time.Millisecond

// watchedPeriods is how many periods an execution takes of which the watch sees how much memory it needs.
const watchedPeriods = 8

const (
	liveMetric   = "/memory/classes/heap/objects:bytes"
	markedMetric = "/gc/heap/live:bytes"
	totalMetric  = "/gc/heap/allocs:bytes"
)

// memoryGuard watches the heap against a limit. A goroutine looks at the size of the heap and ends the process when it
// is too large: then the execution that has filled it is still under way. An allocation that is over by then
// shows in the volume of allocation, which the loop looks at once per period. An execution of several periods may allocate as much
// and keep little of it. The loop executes it once more, and the goroutine notes how much is in use meanwhile.
//
// A resident guard counts only memory that is really in use, where the system reports how much that is. It keeps the machine alive
// when it is known that the target allocates too much.
type memoryGuard struct {
	limit     uint64
	threshold uint64 // volume of allocation that is worth a look, at most limit
	resident  bool
	tick      atomic.Uint32 // incremented once per period
	last      uint32        // tick when jumped looked last
	volume    uint64        // bytes allocated until the last look at the volume
	from      uint32        // tick of that look
	most      uint64        // volume of one execution from which on it may need more than the limit
	sample    []metrics.Sample
	live      []metrics.Sample // of the goroutine that watches
	marked    []metrics.Sample // the same
	total     []metrics.Sample // the same
	full      bool             // the last look saw more than the limit; of the same goroutine
	stopped   atomic.Bool      // the watch ends
	exceeded  atomic.Bool      // the loop has seen an execution that allocated more than the limit, and executes it once more
	peak      atomic.Uint64    // since then, bytes in use when that was more than the limit
	ended     chan struct{}    // closed when the watch has ended
}

func newMemoryGuard(limit uint64, resident bool, seg *shm.Segment) *memoryGuard {
	g := &memoryGuard{
		limit: limit, threshold: limit, most: limit, resident: resident, sample: []metrics.Sample{{Name: totalMetric}}, live: []metrics.Sample{{Name: liveMetric}},
		marked: []metrics.Sample{{Name: markedMetric}}, total: []metrics.Sample{{Name: totalMetric}}, ended: make(chan struct{}),
	}
	g.volume = g.allocated()
	compare.Overlook([3]string{g.live[0].Name, g.marked[0].Name, g.total[0].Name}) // metrics are kept in a map by name
	unseen(func() { g.watch(seg) })
	return g
}

// stop ends the watch, if there is a guard.
func (g *memoryGuard) stop() {
	if g != nil {
		g.stopped.Store(true)
		<-g.ended
	}
}

// watch runs until stop.
func (g *memoryGuard) watch(seg *shm.Segment) {
	defer close(g.ended)
	for !g.stopped.Load() {
		time.Sleep(memoryPeriod)
		g.tick.Add(1)
		if g.exceeded.Load() {
			g.notePeak()
			continue
		}
		if n := g.look(seg); n > 0 {
			holder, bytes := oracle.Holder()
			if g.exceeded.Load() {
				continue // the loop has the input
			}
			exitOverLimit(seg, fmt.Sprintf("the heap holds %d MiB", n>>20), ifMost(holder, bytes, n), g.limit)
		}
	}
}

// look returns the bytes in use if they are more than the limit, and the input of the process is as much to blame as any other; otherwise 0. If
// the execution that needed so much is over, the loop finds it by the volume; if the next look sees the same, executions do not release memory.
func (g *memoryGuard) look(seg *shm.Segment) uint64 {
	before := g.full
	g.full = false
	if seg.Stage() == shm.Idle || g.holds() <= g.limit {
		return 0
	}
	execs := seg.Execs()
	n := g.kept()
	if n <= g.limit {
		return 0
	}
	if g.full = true; seg.Execs() != execs && !before {
		return 0
	}
	return n
}

// notePeak notes the bytes in use if they are more than the limit.
func (g *memoryGuard) notePeak() {
	if g.holds() > g.limit {
		g.peak.Store(max(g.peak.Load(), g.kept()))
	}
}

// needs reports whether an execution that has taken so many periods and allocated more than the limit needs more than the limit at once. Where it
// took only a few, the watch may have missed that.
func (g *memoryGuard) needs(periods uint32) bool {
	return periods < watchedPeriods || g.peak.Load() > g.limit
}

// bear ends what exceeded began, for an execution that needs less than it allocates, which is n bytes: the next one is a larger one.
func (g *memoryGuard) bear(n uint64) {
	g.most = 4 * n
	g.exceeded.Store(false)
}

// kept collects the garbage and returns the bytes in use that were in use before. What is allocated during a collection counts as in use
// whether it is or not: without it, no two executions count as one.
func (g *memoryGuard) kept() uint64 {
	metrics.Read(g.total)
	before := g.total[0].Value.Uint64()
	runtime.GC()
	n := g.survives()
	if g.resident {
		return n
	}
	metrics.Read(g.total)
	return n - min(n, g.total[0].Value.Uint64()-before)
}

// holds returns the bytes that are in use, with garbage that was not collected yet.
func (g *memoryGuard) holds() uint64 {
	if g.resident {
		return residentBytes()
	}
	metrics.Read(g.live)
	return g.live[0].Value.Uint64()
}

// survives returns the bytes that were in use after the last garbage collection, with all that was allocated during it. Garbage does not
// count, neither what waited for that collection nor what executions have left since.
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

// setThreshold makes volumes of n bytes and more worth a look, even if they are below the limit; 0 changes nothing.
func (g *memoryGuard) setThreshold(n uint64) {
	if n > 0 {
		g.threshold = min(n, g.limit)
	}
}

// raiseThreshold makes only volumes worth a look that are several times as large as before: mutants of an input that allocates
// much do so too.
func (g *memoryGuard) raiseThreshold() { g.threshold = min(4*g.threshold, g.most) }

// jumped reports whether the executions since the last look allocated so much that it is worth a look. It costs one load
// unless a period has passed.
func (g *memoryGuard) jumped() bool {
	if t := g.tick.Load(); t != g.last && !g.resident {
		g.last = t
		return g.grown() > g.threshold
	}
	return false
}

// grown returns the bytes allocated since the last look.
func (g *memoryGuard) grown() uint64 {
	before := g.volume
	g.volume, g.from = g.allocated(), g.tick.Load()
	return g.volume - before
}

// ifMost returns the stack that has allocated so many bytes if these are more than half of all.
func ifMost(stack string, bytes, all uint64) string {
	if bytes <= all/2 {
		return ""
	}
	return stack
}

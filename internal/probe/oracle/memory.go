package oracle

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"weak"
)

// Allocated returns the bytes allocated since the start of the process.
func Allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Allocations finds which place allocated the most between its creation and Top.
type Allocations struct{ before map[[32]uintptr]int64 }

// NewAllocations begins to look. It runs the garbage collector, which publishes what was sampled until then.
func NewAllocations() Allocations {
	a := Allocations{map[[32]uintptr]int64{}}
	for _, r := range records() {
		a.before[r.Stack0] += r.AllocBytes
	}
	return a
}

// records returns the allocations that were sampled, by stack.
func records() []runtime.MemProfileRecord {
	runtime.GC()
	runtime.GC()
	for n, _ := runtime.MemProfile(nil, true); ; {
		list := make([]runtime.MemProfileRecord, n+64)
		if m, ok := runtime.MemProfile(list, true); ok {
			return list[:m]
		} else {
			n = m
		}
	}
}

// Top returns the stack that allocated the most, in the form in which the runtime prints stacks; nothing if none was
// sampled. Allocations of half a megabyte and more always are. bytes is how much that was.
func (a Allocations) Top() (stack string, bytes uint64) {
	return top(records(), func(r runtime.MemProfileRecord) int64 { return r.AllocBytes }, a.before)
}

// Holder returns the stack that allocated the most of what was in use at the last garbage collection, in the form in which the
// runtime prints stacks, and how many bytes that is.
func Holder() (stack string, bytes uint64) {
	list := make([]runtime.MemProfileRecord, maxRecords)
	n, ok := runtime.MemProfile(list, false)
	if !ok {
		return "", 0
	}
	return top(list[:n], func(r runtime.MemProfileRecord) int64 { return r.InUseBytes() }, nil)
}

// maxRecords is more than there are places of which allocations were sampled and are in use.
const maxRecords = 1 << 12

// top returns the stack whose bytes are the most, less those before, and how many these are.
func top(records []runtime.MemProfileRecord, bytes func(runtime.MemProfileRecord) int64, before map[[32]uintptr]int64) (string, uint64) {
	var most int64
	var stack []uintptr
	grown := map[[32]uintptr]int64{}
	for _, r := range records {
		grown[r.Stack0] += bytes(r)
		if n := grown[r.Stack0] - before[r.Stack0]; n > most {
			most, stack = n, r.Stack()
		}
	}
	return framesOf(stack), uint64(most)
}

// framesOf writes a stack as the runtime does.
func framesOf(stack []uintptr) string {
	var b strings.Builder
	for frames := runtime.CallersFrames(stack); len(stack) > 0; {
		f, more := frames.Next()
		fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			break
		}
	}
	return b.String()
}

// minTracked is the size in bytes of a block that the garbage collector tracks by itself: smaller ones may share one.
const minTracked = 32

// Copies tracks copies of an argument that the target gets.
type Copies struct{ blocks []weak.Pointer[byte] }

// Make returns a copy of data in a block of its own and remembers it, but does not keep it.
func (c *Copies) Make(data []byte) []byte {
	b := make([]byte, max(len(data), minTracked))
	copy(b, data)
	c.blocks = append(c.blocks, weak.Make(&b[0]))
	return b[:len(data):len(data)]
}

// cycles is how many collections free what is reachable from nothing but pools and cleanups.
const cycles = 3

// Kept returns how many of the copies are still in use.
func (c *Copies) Kept() (n int) {
	for range cycles {
		runtime.GC()
		n = 0
		for _, p := range c.blocks {
			if p.Value() != nil {
				n++
			}
		}
		if n == 0 {
			break
		}
	}
	return n
}

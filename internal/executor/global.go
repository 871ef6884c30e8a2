package executor

import (
	"errors"
	"math/bits"
	"os"
	"slices"
	"sync"
	"unsafe"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// globalSize is the size in bytes of the file of a global map: one byte per counter. Pages that no process touches take no memory,
// and no binary has as many counters.
const globalSize = 64 << 20

// Global is the coverage that all workers of a target have seen: one byte per edge counter, one bit per hit-count
// bucket. The process of a binary that was built with -cover, and has no edge counters, keeps its record of blocks there.
// Its methods may be called from any goroutine, as long as no worker uses it while it rests.
type Global struct {
	mu       sync.Mutex
	file     *os.File // nil while it rests
	mem      []byte
	counters int            // of the binary, as far as a worker has said
	kept     map[int][]byte // while it rests: what is not zero, in pieces of keptSize, by their offsets
}

// keptSize is the size in bytes of the pieces that a map keeps while it rests. Most counters of a binary are never hit.
const keptSize = 256

// NewGlobal returns an empty map.
func NewGlobal() (*Global, error) {
	g := &Global{}
	return g, g.Wake()
}

// Wake makes a map that rests ready for workers.
func (g *Global) Wake() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.file != nil {
		return nil
	}
	f, err := memoryFile("gnaw-global", globalSize)
	if err != nil {
		return err
	}
	mem, err := shm.Map(f, globalSize)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	for at, piece := range g.kept {
		copy(mem[at:], piece)
	}
	g.file, g.mem, g.kept = f, mem, nil
	return nil
}

// Rest frees the file and the memory of the map, and keeps its contents. Workers that use it must have ended.
func (g *Global) Rest() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.file == nil {
		return nil
	}
	g.kept = map[int][]byte{}
	used := g.mem[:min(g.counters, len(g.mem))]
	for at := 0; at < len(used); at += keptSize {
		piece := used[at:min(at+keptSize, len(used))]
		if hit, _ := count(piece); hit > 0 {
			g.kept[at] = append([]byte(nil), piece...)
		}
	}
	err := errors.Join(shm.Unmap(g.mem), g.file.Close())
	g.file, g.mem = nil, nil
	return err
}

// Count returns the number of counters that were hit and the number of buckets that were seen.
func (g *Global) Count() (edges, buckets int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, piece := range g.kept {
		e, b := count(piece)
		edges, buckets = edges+e, buckets+b
	}
	e, b := count(g.mem[:min(g.counters, len(g.mem))])
	return edges + e, buckets + b
}

func count(mem []byte) (edges, buckets int) {
	for _, b := range mem {
		if b != 0 {
			edges++
			buckets += bits.OnesCount8(b)
		}
	}
	return edges, buckets
}

// Record returns the last record of the process of a binary that was built with -cover, in the format of package blocks: the blocks that
// it reached before F.Fuzz, in its last execution, or between that and its end. It is nil if the process was killed during an execution.
// The process must not be executing anything.
func (g *Global) Record() (record []uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	words := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(g.mem))), len(g.mem)/4)
	if len(words) == 0 || words[0] == 0 || int(words[0]) > len(words) {
		return nil
	}
	return slices.Clone(words[:words[0]])
}

// sized notes how many counters the binary has.
func (g *Global) sized(counters int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counters = counters
}

// Close frees the map. Workers that use it must have ended.
func (g *Global) Close() error { return g.Rest() }

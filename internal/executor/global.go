package executor

import (
	"errors"
	"fmt"
	"math/bits"
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// globalSize is the size in bytes of the file of a global map: one byte per counter. Pages that nobody touches cost
// nothing, and no binary has as many counters.
const globalSize = 64 << 20

// Global is the coverage that all workers of a target have seen: one byte per edge counter, one bit per hit-count
// bucket.
type Global struct {
	file *os.File
	mem  []byte
}

// NewGlobal returns an empty map.
func NewGlobal() (*Global, error) {
	f, err := memoryFile("gnaw-global")
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(globalSize); err != nil {
		return nil, errors.Join(fmt.Errorf("size the global coverage map: %w", err), f.Close())
	}
	mem, err := shm.Map(f, globalSize)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Global{f, mem}, nil
}

// Count returns the number of counters that were hit and the number of buckets that were seen, of the first n
// counters.
func (g *Global) Count(n int) (edges, buckets int) {
	for _, b := range g.mem[:min(n, len(g.mem))] {
		if b != 0 {
			edges++
			buckets += bits.OnesCount8(b)
		}
	}
	return edges, buckets
}

// Close frees the map. Workers that use it must have ended.
func (g *Global) Close() error { return errors.Join(shm.Unmap(g.mem), g.file.Close()) }

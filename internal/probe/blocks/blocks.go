// Package blocks reads the counters of a test binary that was built with -cover: one for each block of statements.
//
// The counters of the binary are sections of 32-bit words. A function has a header of three words in its section, which is zero until
// the function runs for the first time, and behind it one word for each of its blocks (internal/coverage/defs.go of the Go distribution).
// A [Recorder] copies the functions that have run to a record, which lies in memory that outlives the process, and sets their counters to
// zero. The other end reads the record with [Each].
package blocks

import "sync/atomic"

// Package is the meta-data of a package that is compiled with counters.
type Package struct {
	ID   int32  // as in the headers of its functions
	Meta []byte // as the compiler wrote it; it must not be changed
}

// Sections returns the counters of the binary, and Packages the packages that they belong to. Both are nil if the binary was built without
// -cover. A file in package internal/coverage/cfile sets them.
var (
	Sections func() [][]uint32
	Packages func() []Package
)

// Words of the header of a function.
const (
	headLength  = iota // number of counters
	headPackage        // Package.ID
	headFunction
	headSize
)

// Recorder moves counters to a record. Its methods may be called from any goroutine, and while the process ends.
type Recorder struct {
	sections [][]uint32
	record   []uint32 // its length in words, and after that the functions that have run: header and counters
	busy     uint32   // 1: a call of Take or TakeLast runs
}

// NewRecorder returns a recorder of these counters. The record must have [RecordSize] words.
func NewRecorder(sections [][]uint32, record []uint32) *Recorder {
	return &Recorder{sections: sections, record: record}
}

// RecordSize returns the number of words that a record of these counters needs at most.
func RecordSize(sections [][]uint32) int {
	n := 1
	for _, s := range sections {
		n += len(s)
	}
	return n
}

// Clear empties the record.
func (r *Recorder) Clear() { atomic.StoreUint32(&r.record[0], 0) }

// Take replaces the record with the counters, and sets the counters to zero. It neither allocates nor waits: if another call is running,
// it does nothing.
//
//go:norace
func (r *Recorder) Take() {
	if !atomic.CompareAndSwapUint32(&r.busy, 0, 1) {
		return
	}
	end := r.takeAll(swap)
	atomic.StoreUint32(&r.record[0], uint32(end))
	atomic.StoreUint32(&r.busy, 0)
}

// TakeLast does what Take does, for a process that ends, on the stack of the system. It has no atomic operations, so it may miss counters that
// change meanwhile.
//
//go:norace
func (r *Recorder) TakeLast() {
	if r.busy != 0 {
		return
	}
	r.busy = 1
	r.record[0] = uint32(r.takeAll(load))
}

//go:norace
func swap(counter *uint32) uint32 { return atomic.SwapUint32(counter, 0) }

//go:norace
func load(counter *uint32) uint32 { return *counter }

// takeAll writes the counters behind the first word of the record, and returns the word behind them. take returns the value of a counter.
//
//go:norace
func (r *Recorder) takeAll(take func(counter *uint32) uint32) (end int) {
	end = 1
	for _, s := range r.sections {
		end = r.take(s, end, take)
	}
	return end
}

// take moves the counters of a section to the record from the word begin on, and returns the word behind them.
//
//go:norace
func (r *Recorder) take(section []uint32, begin int, take func(counter *uint32) uint32) (end int) {
	end = begin
	for i := 0; i < len(section); {
		if section[i] == 0 { // of a function that did not run
			i++
			continue
		}
		next := i + headSize + int(section[i+headLength])
		if next > len(section) {
			return end
		}
		if hit(section[i+headSize : next]) {
			end += copy(r.record[end:], section[i:i+headSize])
			for j := i + headSize; j < next; j++ {
				r.record[end] = take(&section[j])
				end++
			}
		}
		i = next
	}
	return end
}

//go:norace
func hit(counters []uint32) bool {
	for _, n := range counters {
		if n != 0 {
			return true
		}
	}
	return false
}

// Each calls f with each function in a record: the ID of its package, its index in the package, and its counters, which are valid during
// the call. It reports whether the record is complete.
func Each(record []uint32, f func(pkg int32, function uint32, counters []uint32)) bool {
	if len(record) == 0 || record[0] == 0 || int(record[0]) > len(record) {
		return false
	}
	rest := record[1:record[0]]
	for len(rest) > 0 {
		if len(rest) < headSize || len(rest)-headSize < int(rest[headLength]) {
			return false
		}
		n := headSize + int(rest[headLength])
		f(int32(rest[headPackage]), rest[headFunction], rest[headSize:n])
		rest = rest[n:]
	}
	return true
}

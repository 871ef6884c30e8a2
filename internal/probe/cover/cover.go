// Package cover reads the edge counters of a test binary and returns what an execution showed for the first time.
//
// A [Map] joins the 8-bit counters that the compiler put into instrumented code with the global map, which holds, for
// each counter, the hit-count buckets that any worker has seen and is shared by all workers of a target. [Map.Scan] is
// what runs after each execution: in one pass over the counters it classifies, compares with the global map and
// clears. One goroutine uses a Map; only the global map is touched by several processes, with atomic operations.
package cover

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// Feature is one observed behaviour: the index of a counter times eight, plus the number of a hit-count bucket (0…7).
type Feature uint32

// Counter returns the index of the counter.
func (f Feature) Counter() int { return int(f / 8) }

const (
	wordSize = 8
	// lineSize is the granularity in bytes at which cold counters are skipped: one cache line.
	lineSize  = 64
	lineWords = lineSize / wordSize
	// coldPeriod: lines that were never hit are looked at in every 32nd scan, and when something is new. What is found
	// there is found up to 31 executions late, so Scan reports it as late and the caller runs the recent inputs again.
	coldPeriod = 32
)

// bucketRanges are the hit counts of each bucket: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128-255. They are AFL's.
var bucketRanges = [8]countRange{{1, 1}, {2, 2}, {3, 3}, {4, 7}, {8, 15}, {16, 31}, {32, 127}, {128, 255}}

// countRange is a range of hit counts, both ends included.
type countRange struct{ low, high uint8 }

// edgeRanges are the buckets if it does not count how often an edge was hit: all counts are in the first.
var edgeRanges = [8]countRange{{1, 255}}

// buckets and edgesOnly map a hit count to the bit of its bucket; zero has none.
var buckets, edgesOnly = bucketTable(bucketRanges), bucketTable(edgeRanges)

func bucketTable(ranges [8]countRange) (t [256]uint8) {
	for i, r := range ranges {
		for n := int(max(r.low, 1)); n <= int(r.high); n++ {
			t[n] = 1 << i
		}
	}
	return t
}

// GlobalSize returns the size in bytes of the global map for n counters.
func GlobalSize(n int) int { return (n + lineSize - 1) / lineSize * lineSize }

// Map is the view of one worker. Make one with [New].
type Map struct {
	counters []uint64 // the counters, whole words
	tail     []uint8  // the last counters, less than a word
	global   []uint64 // the shared map
	low      []uint64 // per counter: the smallest of a range of hit counts that are not new
	high     []uint64 // per counter: the largest of them
	hot      []uint64 // bit set of whole lines that were hit before
	loud     []int32  // lines that need a closer look, while scanning
	flaky    []uint64 // buckets that count as known although no input shows them reliably
	scans    int      // scans since the last look at all lines
	fresh    []fresh  // what was new in the last scan
	late     []fresh  // and on the lines that are left out of most scans
	buckets  *[256]uint8
	ranges   *[8]countRange
}

// fresh is a counter word with the buckets that were new in it.
type fresh struct {
	word int
	bits uint64
}

// New returns a Map of the given counters. global is the shared map, of at least GlobalSize(len(counters)) bytes and
// aligned to eight bytes; nil gives the Map one of its own. Both are kept.
func New(counters, global []byte) *Map {
	words := len(counters) / wordSize
	hot := words/lineWords/64 + 1
	if global == nil {
		global = bytesOf(make([]uint64, GlobalSize(len(counters))/wordSize+1))
	}
	m := &Map{
		tail:    counters[words*wordSize:],
		global:  unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(global))), len(global)/wordSize),
		low:     make([]uint64, words),
		high:    make([]uint64, words),
		hot:     make([]uint64, hot),
		loud:    make([]int32, 64*hot), // as quietLines takes it: with -race, the runtime ends who goes beyond
		flaky:   make([]uint64, words+1),
		fresh:   make([]fresh, 0, 256),
		buckets: &buckets,
		ranges:  &bucketRanges,
	}
	if words > 0 {
		m.counters = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(counters))), words)
	}
	return m
}

func bytesOf(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), len(w)*wordSize)
}

// EdgesOnly makes the Map ignore how often a counter was hit. It must be called before the first scan.
func (m *Map) EdgesOnly() { m.buckets, m.ranges = &edgesOnly, &edgeRanges }

// Result is the result of a scan.
type Result uint8

// The results of [Map.Scan].
const (
	Nothing Result = iota // no bucket that the global map does not have
	Novel                 // this execution showed something new; there may be something late besides
	Late                  // something new shows, but it may be of one of the last 31 executions
)

// Scan looks at the counters after an execution and clears them. It does not change the global map: what is new is
// new again in the next execution that shows it, until [Map.Merge].
//
//go:norace
func (m *Map) Scan() Result {
	m.fresh, m.late = m.fresh[:0], m.late[:0]
	m.scanHot()
	m.scanTail()
	v, own := Nothing, len(m.fresh)
	if own > 0 {
		v = Novel
	}
	if m.scans++; m.scans >= coldPeriod || v == Novel { // the caller looks at what is new, which clears all lines
		m.scans = 0
		m.scanCold()
		m.late = append(m.late, m.fresh[own:]...)
		m.fresh = m.fresh[:own]
	}
	if v == Nothing && len(m.late) > 0 {
		v = Late
	}
	return v
}

// ScanAll is Scan with a look at every line, so its result is never Late.
//
//go:norace
func (m *Map) ScanAll() Result {
	m.fresh, m.late = m.fresh[:0], m.late[:0]
	m.scans = 0
	m.scanHot()
	m.scanTail()
	m.scanCold()
	if len(m.fresh) > 0 {
		return Novel
	}
	return Nothing
}

// scanHot scans the lines that were hit before. Nearly all counters of nearly all executions are zero or in a range of
// known counts, which quietLines checks for a line at once; the other lines take the slow path.
//
//go:norace
func (m *Map) scanHot() {
	full := len(m.counters) / lineWords
	if full > 0 {
		n := quietLines(&m.counters[0], &m.low[0], &m.high[0], &m.hot[0], len(m.hot), &m.loud[0])
		for _, line := range m.loud[:n] {
			m.scanLine(int(line) * lineWords)
		}
	}
	m.scanLine(full * lineWords)
}

// scanLine scans the words of one line that starts at word first; the last line may be short.
//
//go:norace
func (m *Map) scanLine(first int) {
	for i := first; i < min(first+lineWords, len(m.counters)); i++ {
		w := m.counters[i]
		if w == 0 {
			continue
		}
		m.counters[i] = 0
		if !quiet(w, m.low[i], m.high[i]) {
			m.compare(i, w)
		}
	}
}

// quiet reports whether each byte of w is zero or at least that byte of low and at most that of high.
func quiet(w, low, high uint64) bool { return nonzero(w)&^(atMost(low, w)&atMost(w, high)) == 0 }

// atMost returns a word with the high bit set of each byte of a that is at most that byte of b. With the high bits set
// in b and cleared in a no byte borrows from its neighbour, so the subtraction shows the order of the lower seven bits.
func atMost(a, b uint64) uint64 {
	const highs = 0x8080808080808080
	lower := (b | highs) - a&^highs
	return (^a&b | ^(a^b)&lower) & highs
}

// nonzero returns a word with the high bit set of each byte that is not zero in v.
func nonzero(v uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return ((v & low) + low | v) &^ low
}

// compare looks for new buckets in the raw word w of counter word i. If there are none, it widens what is quiet.
//
//go:norace
func (m *Map) compare(i int, w uint64) {
	known := atomic.LoadUint64(&m.global[i]) | m.flaky[i]
	if bits := m.classify(w) &^ known; bits != 0 {
		m.fresh = append(m.fresh, fresh{i, bits})
		return
	}
	for shift := 0; shift < 64; shift += 8 {
		if n := uint8(w >> shift); n != 0 {
			r := m.knownRange(n, uint8(known>>shift))
			m.low[i] = m.low[i]&^(0xff<<shift) | uint64(r.low)<<shift
			m.high[i] = m.high[i]&^(0xff<<shift) | uint64(r.high)<<shift
		}
	}
}

// knownRange returns the hit counts around n whose buckets, without a gap, are all in known, as that of n is. Both the
// global map and the flaky mask only grow, so they stay known.
func (m *Map) knownRange(n, known uint8) countRange {
	at := bits.TrailingZeros8(m.buckets[n])
	below := ^known & (1<<at - 1) // unknown buckets below that of n
	above := ^known >> at         // unknown buckets above it
	return countRange{m.ranges[bits.Len8(below)].low, m.ranges[at+min(bits.TrailingZeros8(above), 8-at)-1].high}
}

// unknown returns the buckets of the raw word w that neither the global map nor the flaky mask of word i has.
//
//go:norace
func (m *Map) unknown(i int, w uint64) uint64 {
	return m.classify(w) &^ (atomic.LoadUint64(&m.global[i]) | m.flaky[i])
}

// classify turns eight hit counts into eight buckets.
//
//go:norace
func (m *Map) classify(w uint64) uint64 {
	var c uint64
	for shift := 0; shift < 64; shift += 8 {
		c |= uint64(m.buckets[uint8(w>>shift)]) << shift
	}
	return c
}

// scanTail scans the counters behind the last whole word. They are few, so they are always hot.
//
//go:norace
func (m *Map) scanTail() {
	var w uint64
	for i, n := range m.tail {
		w |= uint64(n) << (8 * i)
		m.tail[i] = 0
	}
	if w == 0 {
		return
	}
	if bits := m.unknown(len(m.counters), w); bits != 0 {
		m.fresh = append(m.fresh, fresh{len(m.counters), bits})
	}
}

// scanCold scans the lines that were never hit, after scanHot has cleared the others, and makes those that are hit hot.
// It reports whether it found new buckets.
//
//go:norace
func (m *Map) scanCold() {
	full := len(m.counters) / lineWords
	for line := 0; line < full; line++ {
		line += zeroLines(&m.counters[line*lineWords], full-line)
		if line < full {
			m.warm(line * lineWords)
		}
	}
}

//go:norace
func (m *Map) warm(first int) {
	m.heat(first / lineWords)
	m.scanLine(first)
}

// heat has a line looked at in every scan. The short line at the end is, always.
func (m *Map) heat(line int) {
	if line < len(m.counters)/lineWords {
		m.hot[line/64] |= 1 << (line % 64)
	}
}

// Clear zeroes all counters.
//
//go:norace
func (m *Map) Clear() {
	clear(m.counters)
	clear(m.tail)
}

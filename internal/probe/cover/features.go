package cover

import (
	"math/bits"
	"sync/atomic"
)

// Trace appends the features that the counters show to dst, in ascending order, and clears the counters.
//
//go:norace
func (m *Map) Trace(dst []Feature) []Feature {
	full := len(m.counters) / lineWords
	for line := 0; line < full; line++ {
		line += zeroLines(&m.counters[line*lineWords], full-line)
		if line < full {
			m.heat(line)
			dst = m.traceLine(dst, line*lineWords)
		}
	}
	dst = m.traceLine(dst, full*lineWords)
	var w uint64
	for i, n := range m.tail {
		w |= uint64(n) << (8 * i)
		m.tail[i] = 0
	}
	return appendFeatures(dst, len(m.counters), m.classify(w))
}

// traceLine appends the features of the words of one line that starts at word first; the last line may be short.
//
//go:norace
func (m *Map) traceLine(dst []Feature, first int) []Feature {
	for i := first; i < min(first+lineWords, len(m.counters)); i++ {
		if w := m.counters[i]; w != 0 {
			m.counters[i] = 0
			dst = appendFeatures(dst, i, m.classify(w))
		}
	}
	return dst
}

func appendFeatures(dst []Feature, word int, c uint64) []Feature {
	for ; c != 0; c &= c - 1 {
		dst = append(dst, Feature(word*64+bits.TrailingZeros64(c)))
	}
	return dst
}

// Fresh appends to dst the features that the last scan found to be new. After a [Map.Scan] they are those of the last
// execution, after a [Map.ScanAll] those of any since the one before.
func (m *Map) Fresh(dst []Feature) []Feature { return appendFresh(dst, m.fresh) }

// Late appends to dst what the last [Map.Scan] found to be new on lines that it leaves out most of the time: one of the last
// 32 executions has shown it.
func (m *Map) Late(dst []Feature) []Feature { return appendFresh(dst, m.late) }

func appendFresh(dst []Feature, words []fresh) []Feature {
	for _, f := range words {
		dst = appendFeatures(dst, f.word, f.bits)
	}
	return dst
}

// Looked reports whether the last scan looked at all lines, so that what shows next belongs to the next execution.
func (m *Map) Looked() bool { return m.scans == 0 }

// AnyUnknown reports whether Unknown would return any.
func (m *Map) AnyUnknown(features []Feature) bool {
	for _, f := range features {
		if !m.Known(f) && m.flaky[f/64]&(1<<(f%64)) == 0 {
			return true
		}
	}
	return false
}

// Unknown returns those of the features that neither the global map nor Ignore has.
func (m *Map) Unknown(features []Feature) (unknown []Feature) {
	for _, f := range features {
		if !m.Known(f) && m.flaky[f/64]&(1<<(f%64)) == 0 {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

// Ignore makes this Map take the features for known: they come and go without regard to the input.
func (m *Map) Ignore(features []Feature) {
	for _, f := range features {
		m.flaky[f/64] |= 1 << (f % 64)
	}
}

// Known reports whether the global map has f.
func (m *Map) Known(f Feature) bool {
	return atomic.LoadUint64(&m.global[f/64])&(1<<(f%64)) != 0
}

// KnownEdge reports whether the global map has any bucket of the counter of f.
func (m *Map) KnownEdge(f Feature) bool {
	return uint8(atomic.LoadUint64(&m.global[f/64])>>(f%64&^7)) != 0
}

// Merge adds features to the global map. added are those that it did not have; edges counts, among them, the counters
// that no input had hit before. When two workers find the same thing at once, one of them gets it. The result shares
// the storage of features.
func (m *Map) Merge(features []Feature) (added []Feature, edges int) {
	added = features[:0]
	for _, f := range features {
		bit := uint64(1) << (f % 64)
		old := or(&m.global[f/64], bit)
		if old&bit != 0 {
			continue
		}
		if uint8(old>>(f%64&^7)) == 0 {
			edges++
		}
		added = append(added, f)
	}
	return added, edges
}

// or sets bits in *p and returns what it was. It is not atomic.OrUint64, because the compiler of Go 1.24.0 clobbers a
// register when the result of that is used on amd64.
func or(p *uint64, bits uint64) (old uint64) {
	for {
		if old = atomic.LoadUint64(p); old&bits == bits || atomic.CompareAndSwapUint64(p, old, old|bits) {
			return old
		}
	}
}

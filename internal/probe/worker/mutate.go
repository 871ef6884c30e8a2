package worker

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// mutator makes mutants of one of the entries that the worker has: its suggestions first, then random ones.
type mutator struct {
	run   *runner
	list  *suggestions
	setup *wire.Setup

	base    input.Args // entry that is being mutated; nil: the worker does not have it
	havoc   mutate.Material
	batch   batch
	words   []int // tokens in the mutant at hand, by their indexes
	learned vocabulary

	entries map[uint64]int         // where in the pool of havoc an entry is
	sums    map[uint64]mutate.Sums // of entries that were mutated
}

// add takes an entry, or a smaller one in the place of one that the worker has.
func (m *mutator) add(id uint64, a input.Args) {
	if i, known := m.entries[id]; known {
		m.havoc.Pool[i] = a
		delete(m.sums, id)
		return
	}
	m.entries[id] = len(m.havoc.Pool)
	m.havoc.Pool = append(m.havoc.Pool, a)
}

// pick makes an entry the one that is mutated.
func (m *mutator) pick(id uint64) {
	m.base = nil
	if i, known := m.entries[id]; known {
		m.base = m.havoc.Pool[i]
		m.havoc.Sums = m.sumsOf(id)
	}
}

// sumsOf returns the checksums of an entry. It keeps them: to find those of an entry of a megabyte takes as long as a request.
func (m *mutator) sumsOf(id uint64) mutate.Sums {
	sums, known := m.sums[id]
	if !known {
		sums = mutate.Recognize(m.havoc.Pool[m.entries[id]])
		m.sums[id] = sums
	}
	return sums
}

// reserve makes room for mutants of n bytes. Those that wait are dropped.
func (m *mutator) reserve(n int) {
	m.havoc.MaxLen = n
	grow(m.run.scratch, n)
	m.batch.reserve(m.run.kinds, n, m.run.limit)
}

// derive makes the next mutant the input that is executed.
func (m *mutator) derive() {
	m.list.current = false
	if m.take() {
		return
	}
	m.run.args, m.words = m.run.scratch, nil
	if load(m.run.scratch, m.base); m.suggest() {
		return
	}
	m.breed()
	m.take()
}

// suggest makes the next suggestion the input that is executed. It reports whether there is one.
func (m *mutator) suggest() bool {
	s := m.list
	if s.again {
		s.tried, s.again = s.tried-1, false
	} else {
		s.sizes.parts = 0
	}
	limit := m.growLimit()
	for ; s.busy(); s.sizes.parts = 0 {
		if !s.next().Apply(m.run.scratch, limit) {
			continue
		}
		if !m.setup.NoClock {
			switch s.sizes.approach(m.run.scratch, m.base.Size()) {
			case stepPart:
				s.again = true
			case stepNone:
				load(m.run.scratch, m.base)
				continue
			}
		}
		mutate.FixContainers(&m.havoc, m.run.scratch)
		s.current = true
		s.sizes.begin(m.run.scratch, m.setup.NoClock)
		return true
	}
	return false
}

// growLimit returns the length up to which suggestions may grow a buffer.
func (m *mutator) growLimit() int {
	if m.list.sizes.longest > 0 {
		return max(m.havoc.MaxLen, m.list.sizes.longest)
	}
	return max(m.havoc.MaxLen, maxSolved)
}

// reward notes that an input with the words of the mutant at hand was kept.
func (m *mutator) reward() {
	for _, i := range m.words {
		m.havoc.Reward(i)
	}
}

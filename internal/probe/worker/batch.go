package worker

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

const (
	// maxChain is the largest number of mutants in a chain.
	maxChain = 11
	// maxBatch is how many chains make a step together before the mutants are executed. The mutator and the target evict each other
	// from the caches and branch predictors of a core, and so do the operators: one operator takes two to three times as long as
	// when it runs several times in a row.
	maxBatch = mutate.MaxChains
	// batchesIn: a batch is at most 1/batchesIn of a request. Targets for which the size of batches matters are fast, and have
	// requests of thousands of executions.
	batchesIn = 64
	// batchRoom is how many bytes the buffers of a batch have together at most, for each argument.
	batchRoom = 1 << 20
	// solveIn: 1/solveIn of the chains start with a suggestion.
	solveIn = 3
)

// batch holds the last mutants of some chains, of which some wait to be executed.
type batch struct {
	chains [maxBatch]mutate.Chain
	rooms  [][]byte // of the buffers of all chains, by the number of the argument
	size   int      // how many of them are used
	next   int      // the first one that waits
	made   int      // how many there are, with those that were executed
	steps  int      // that the chains still make
	solved int      // number of chains, at the front, that start with a suggestion
}

// reserve makes room for mutants whose buffers have up to n bytes, for a request of so many executions; 0: any number. Those
// that wait are dropped.
func (b *batch) reserve(kinds []input.Kind, n int, execs uint64) {
	b.drop()
	b.size = min(maxBatch, max(1, batchRoom/max(n, 1)))
	if execs > 0 {
		b.size = min(b.size, int(max(1, execs/batchesIn)))
	}
	if b.rooms == nil {
		b.rooms = make([][]byte, len(kinds))
	}
	for arg, kind := range kinds {
		if kind.IsBuffer() && cap(b.rooms[arg]) < b.size*n {
			b.rooms[arg] = make([]byte, b.size*n)
		}
	}
	for i := range b.chains {
		b.chains[i].Args = b.place(b.chains[i].Args, kinds, i, n)
	}
}

// place returns a, or a new tuple if it is nil, with the i-th n bytes of the rooms as its buffers. The chains behind the last one of
// the batch have none: each would keep the buffers of the largest batch that it was in.
func (b *batch) place(a input.Args, kinds []input.Kind, i, n int) input.Args {
	if i >= b.size {
		return nil
	}
	if a == nil {
		a = input.Zero(kinds)
	}
	for arg, kind := range kinds {
		if kind.IsBuffer() {
			a[arg].Data = b.rooms[arg][i*n : i*n : (i+1)*n]
		}
	}
	return a
}

// drop removes the mutants that wait, and their chains.
func (b *batch) drop() { b.next, b.made, b.steps = 0, 0, 0 }

// take makes the mutant that waits longest the input that is executed. It reports whether there is one.
func (m *mutator) take() bool {
	b := &m.batch
	if b.next == b.made {
		return false
	}
	c := &b.chains[b.next]
	b.next++
	m.run.args, m.words = c.Args, c.Used()
	return true
}

// maker returns the technique that has made the mutant or the suggestion at hand.
func (m *mutator) maker() technique.Maker {
	if m.list.current {
		return technique.BySolving
	}
	b := &m.batch
	if b.next == 0 {
		return 0 // the mutants were dropped
	}
	switch c := &b.chains[b.next-1]; {
	case b.next <= b.solved:
		return technique.BySolvedMutation
	case c.Spliced():
		return technique.BySplice
	case len(c.Used()) > 0:
		return technique.ByWords
	}
	return technique.ByMutation
}

// breed makes mutants of the entry: the next step of the chains at hand, or the first one of others.
func (m *mutator) breed() {
	b := &m.batch
	chains := b.chains[:b.size]
	b.next, b.made = 0, b.size
	if b.steps > 0 {
		b.steps--
		mutate.Havoc(&m.havoc, chains)
		return
	}
	mutate.Begin(&m.havoc, chains)
	b.solved = 0
	for i := range chains {
		load(chains[i].Args, m.base)
	}
	if r := m.havoc.Rand; r.Chance(1, solveIn) {
		// Half of the time nothing else is changed in what has a suggestion.
		if b.solved = m.startSolved(chains); r.Bool() {
			chains = chains[b.solved:]
		}
	}
	mutate.Havoc(&m.havoc, chains)
	b.steps = m.havoc.Rand.Intn(maxChain)
}

// startSolved starts chains with what comparisons suggest. It moves those that have a suggestion to the front and returns how many
// there are.
func (m *mutator) startSolved(chains []mutate.Chain) (n int) {
	for i := range chains {
		// The limit is that of mutants: a target that compares its length with 64 KB would get such inputs all the time.
		if !m.list.solver.Random(&m.list.log, m.havoc.Rand, chains[i].Args, m.havoc.MaxLen) {
			continue
		}
		mutate.FixContainers(&m.havoc, chains[i].Args)
		chains[n], chains[i] = chains[i], chains[n]
		n++
	}
	return n
}

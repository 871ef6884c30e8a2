package frontier

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// bitset is a set of inputs, by their indexes in reach.inputs.
type bitset []uint64

func (b bitset) empty() bool { return b.count() == 0 }

func (b bitset) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

func (b bitset) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

// with returns the union of both sets.
func (b bitset) with(c bitset) bitset {
	all := make(bitset, max(len(b), len(c)))
	copy(all, b)
	for i, w := range c {
		all[i] |= w
	}
	return all
}

// without returns the inputs of b that are not in c.
func (b bitset) without(c bitset) bitset {
	rest := slices.Clone(b)
	for i := range rest {
		if i < len(c) {
			rest[i] &^= c[i]
		}
	}
	return rest
}

// used is an input with its target.
type used struct {
	target fuzz.Name
	entry  *coverage.Entry
}

// hit is a block with the inputs that reach it.
type hit struct {
	coverage.Block
	inputs  bitset
	numbers []int  // of a block of the history, in place of inputs and times: how many inputs of each of reach.targets reach it
	around  bool   // code that runs before or after the inputs reaches it
	times   uint64 // how often the inputs execute it
}

// reached reports whether an input, or code around inputs, reaches the block.
func (h *hit) reached() bool { return h.around || !h.inputs.empty() || total(h.numbers) > 0 }

func total(numbers []int) (n int) {
	for _, one := range numbers {
		n += one
	}
	return n
}

// evaluation is the inputs that evaluate a condition.
type evaluation struct {
	inputs  bitset
	numbers []int // of blocks of the history: of how many inputs of each of reach.targets this is certain; otherwise nil
}

func (e evaluation) count() int { return e.inputs.count() + total(e.numbers) }

// reach is the blocks that the inputs of some targets reach.
type reach struct {
	inputs  []used
	targets []fuzz.Name       // of blocks of the history; see hit.numbers
	files   map[string][]*hit // by file name; sorted by position
}

// reachOf joins the blocks that the inputs of targets reach.
func reachOf(list []*coverage.Replayed) *reach {
	r := &reach{files: map[string][]*hit{}}
	known := map[coverage.Block]*hit{}
	for _, t := range list {
		at := make([]*hit, len(t.Blocks))
		for i, b := range t.Blocks {
			if known[b] == nil {
				known[b] = &hit{Block: b}
				r.files[b.File] = append(r.files[b.File], known[b])
			}
			at[i] = known[b]
		}
		for i := range t.Around.All() {
			at[i].around = true
		}
		for i := range t.Entries {
			n := len(r.inputs)
			r.inputs = append(r.inputs, used{t.Target, &t.Entries[i]})
			times := slices.Collect(t.Entries[i].Counts.All())
			for j := range t.Entries[i].Blocks.All() {
				h := at[j]
				if len(times) > 0 {
					h.times += times[0]
					times = times[1:]
				}
				for len(h.inputs) <= n/64 {
					h.inputs = append(h.inputs, 0)
				}
				h.inputs[n/64] |= 1 << (n % 64)
			}
		}
	}
	r.sort()
	return r
}

// storedOf joins the blocks of targets in the history.
func storedOf(list []Stored) *reach {
	r := &reach{files: map[string][]*hit{}}
	known := map[coverage.Block]*hit{}
	for n, t := range list {
		r.targets = append(r.targets, t.Target)
		for _, b := range t.Blocks {
			h := known[b.Block]
			if h == nil {
				h = &hit{Block: b.Block, numbers: make([]int, len(list))}
				known[b.Block] = h
				r.files[b.File] = append(r.files[b.File], h)
			}
			if b.Entry == "" { // no input reaches it
				h.around = h.around || b.Count > 0
			} else {
				h.numbers[n] += b.Count
			}
		}
	}
	r.sort()
	return r
}

func (r *reach) sort() {
	for _, hits := range r.files {
		slices.SortFunc(hits, func(a, b *hit) int { return order(a.Start, b.Start) })
	}
}

func order(a, b coverage.Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// within returns the blocks that begin in a part of a file.
func (r *reach) within(s *source, sp span) []*hit {
	file, from := s.position(sp.from)
	_, to := s.position(sp.to)
	hits := r.files[file]
	i, _ := slices.BinarySearchFunc(hits, from, func(h *hit, p coverage.Position) int { return order(h.Start, p) })
	j, _ := slices.BinarySearchFunc(hits, to, func(h *hit, p coverage.Position) int { return order(h.Start, p) })
	if j < i {
		return nil
	}
	return hits[i:j]
}

// reaching returns the inputs that reach a block in parts of a file.
func (r *reach) reaching(s *source, spans []span) (inputs bitset) {
	for _, sp := range spans {
		for _, h := range r.within(s, sp) {
			inputs = inputs.with(h.inputs)
		}
	}
	return inputs
}

// takes reports whether an input, or code around inputs, reaches a block in parts of a file.
func (r *reach) takes(s *source, spans []span) bool {
	for _, sp := range spans {
		if slices.ContainsFunc(r.within(s, sp), (*hit).reached) {
			return true
		}
	}
	return false
}

// evaluating returns the inputs that evaluate the condition of a branch: those that reach its block, head, and take no side before it, and those
// that take a side after it. The history has only numbers of inputs, so that the same inputs may count for several sides before it: the result
// has the inputs that certainly evaluate the condition.
func (r *reach) evaluating(s *source, b branch, head *hit) evaluation {
	if head.numbers == nil {
		return evaluation{inputs: head.inputs.without(r.reaching(s, b.earlier)).with(r.reaching(s, b.later))}
	}
	certain := slices.Clone(head.numbers)
	for _, sp := range b.earlier {
		for t, n := range r.most(s, sp) {
			certain[t] = max(0, certain[t]-n)
		}
	}
	for _, sp := range b.later {
		for t, n := range r.most(s, sp) {
			certain[t] = max(certain[t], min(n, head.numbers[t]))
		}
	}
	return evaluation{numbers: certain}
}

// most returns how many inputs of each target reach the block in a part of a file that most of them reach.
func (r *reach) most(s *source, sp span) []int {
	most := make([]int, len(r.targets))
	for _, h := range r.within(s, sp) {
		for t, n := range h.numbers {
			most[t] = max(most[t], n)
		}
	}
	return most
}

// around returns the innermost block of a file that contains a position; nil: there is none.
func (r *reach) around(file string, p coverage.Position) (found *hit) {
	for _, h := range r.files[file] {
		if order(h.Start, p) > 0 {
			break
		}
		if order(p, h.End) <= 0 {
			found = h
		}
	}
	return found
}

// packages returns the import paths of the packages that have blocks.
func (r *reach) packages() map[string]bool {
	all := map[string]bool{}
	for _, hits := range r.files {
		all[hits[0].Package] = true
	}
	return all
}

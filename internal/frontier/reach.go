package frontier

import (
	"cmp"
	"math/bits"
	"path"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
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
	target coverage.Target
	entry  *coverage.Entry
}

// hit is a block with the inputs that reach it.
type hit struct {
	coverage.Block
	inputs bitset
	around bool   // code that runs before or after the inputs reaches it
	times  uint64 // how often the inputs execute it
}

// reach is the blocks that the inputs of some targets reach.
type reach struct {
	inputs []used
	files  map[string][]*hit // by file name; sorted by position
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
	for _, hits := range r.files {
		slices.SortFunc(hits, func(a, b *hit) int { return order(a.Start, b.Start) })
	}
	return r
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

// reaching returns the inputs that reach a block in parts of a file. around reports whether code around inputs reaches one.
func (r *reach) reaching(s *source, spans []span) (inputs bitset, around bool) {
	for _, sp := range spans {
		for _, h := range r.within(s, sp) {
			inputs = inputs.with(h.inputs)
			around = around || h.around
		}
	}
	return inputs, around
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

// packages returns the base names of the files of each package.
func (r *reach) packages() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for file, hits := range r.files {
		pkg := hits[0].Package
		if all[pkg] == nil {
			all[pkg] = map[string]bool{}
		}
		all[pkg][path.Base(file)] = true
	}
	return all
}

package coverage

import (
	"encoding/binary"
	"iter"
	"slices"
)

// Set is a set of blocks of one binary, by their indexes: the differences between neighbours as varints.
type Set []byte

// newSet returns the set of these indexes, which it sorts.
func newSet(list []int) Set {
	slices.Sort(list)
	var s Set
	last := 0
	for _, i := range slices.Compact(list) {
		s = binary.AppendUvarint(s, uint64(i-last))
		last = i
	}
	return s
}

// All yields the indexes in ascending order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		at := 0
		for rest := []byte(s); len(rest) > 0; {
			v, n := binary.Uvarint(rest)
			if n <= 0 {
				return
			}
			at, rest = at+int(v), rest[n:]
			if !yield(at) {
				return
			}
		}
	}
}

// union returns the blocks of both sets.
func (s Set) union(t Set) Set {
	return newSet(slices.AppendSeq(slices.Collect(s.All()), t.All()))
}

// Counts says how often the blocks of a [Set] were executed: one number for each, in the order of the set, as varints.
type Counts []byte

// All yields the numbers.
func (c Counts) All() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for rest := []byte(c); len(rest) > 0; {
			v, n := binary.Uvarint(rest)
			if n <= 0 || !yield(v) {
				return
			}
			rest = rest[n:]
		}
	}
}

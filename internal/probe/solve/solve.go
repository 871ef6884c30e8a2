// Package solve derives inputs from the comparisons that an execution made: input-to-state replacement.
//
// Where the target compares a value that stands in the input with another one, the other one is put in its place. A
// [Table] holds what was compared, without what loops compare; [Table.Edits] lists all replacements for an input, and
// [Table.Random] picks one. The package knows nothing about processes or coverage, allocates nothing in Random, and is
// linked into test binaries.
package solve

import (
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
)

// Limits of a Table. They are those of the engine brief: a log of one execution of a real parser has some hundred
// distinct comparisons, of which a few dozen touch the input.
const (
	maxPairs   = 384
	maxPerSite = 16
	// loopLength: so many comparisons of one place in a row, of one value that stays with one that goes up or down by
	// one, are a loop.
	loopLength = 6
	// maxEncoded is the size of the longest encoding of an integer: 64 binary digits and a prefix.
	maxEncoded = 80
)

// Pair is a value that was compared, and what it was compared with.
type Pair struct {
	Seen, Want uint64
	Width      uint8  // bytes of an integer; 0: a string
	SeenText   []byte // of a string
	WantText   []byte
}

// key identifies a pair; strings by their hashes, whose collisions cost a pair and nothing else.
type key struct {
	seen, want uint64
	width      uint8
}

// hash is FNV-1a.
func hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// Table is what one execution compared.
type Table struct {
	pairs []Pair
	sites map[uint]*site
	keys  map[key]struct{}

	// Scratch space.
	seenBuf, twinBuf [maxEncoded]byte
	wantBuf          [3][maxEncoded]byte
	tried            uint32 // bit set of the encodings to try
	chosen           Edit
	choices          int
	text             []byte
}

// site is a place in the program that compares.
type site struct {
	pairs      int
	run        int // comparisons in a row that look like a loop
	lastA      uint64
	lastB      uint64
	seen, loop bool
}

// Fill makes the Table hold the comparisons of a log. It keeps no reference to it.
func (t *Table) Fill(records []compare.Record) {
	t.pairs = t.pairs[:0]
	if t.sites == nil {
		t.sites, t.keys = map[uint]*site{}, map[key]struct{}{}
	}
	clear(t.sites)
	clear(t.keys)
	for i := range records {
		t.findLoops(&records[i])
	}
	for i := range records {
		t.add(&records[i])
	}
}

// known reports whether the pair was met before in this log.
func (t *Table) known(k key) bool {
	_, known := t.keys[k]
	t.keys[k] = struct{}{}
	return known
}

// Len returns the number of pairs.
func (t *Table) Len() int { return len(t.pairs) }

// findLoops marks the places whose operands look like those of a loop condition.
func (t *Table) findLoops(r *compare.Record) {
	if r.Op != compare.Int && r.Op != compare.ConstInt {
		return
	}
	s := t.sites[r.Site]
	if s == nil {
		s = &site{}
		t.sites[r.Site] = s
	}
	if s.seen && (step(s.lastA, r.A) && s.lastB == r.B || step(s.lastB, r.B) && s.lastA == r.A) {
		if s.run++; s.run >= loopLength {
			s.loop = true
		}
	} else {
		s.run = 0
	}
	s.lastA, s.lastB, s.seen = r.A, r.B, true
}

func step(a, b uint64) bool { return b-a == 1 || a-b == 1 }

// add adds the pairs of a record, in both directions unless one side is a constant.
func (t *Table) add(r *compare.Record) {
	s := t.sites[r.Site]
	if s == nil {
		s = &site{}
		t.sites[r.Site] = s
	}
	if s.loop {
		return
	}
	switch r.Op {
	case compare.ConstInt:
		t.addInt(s, r.B, r.A, r.Width)
	case compare.Int:
		t.addInt(s, r.A, r.B, r.Width)
		t.addInt(s, r.B, r.A, r.Width)
	case compare.Map, compare.Number:
		t.addText(s, r.SA, r.SB)
	default:
		t.addText(s, r.SA, r.SB)
		t.addText(s, r.SB, r.SA)
	}
}

// full reports whether the Table takes no more pairs of the place.
func (t *Table) full(s *site) bool { return s.pairs >= maxPerSite || len(t.pairs) >= maxPairs }

func (t *Table) addInt(s *site, seen, want uint64, width uint8) {
	if seen == want || t.full(s) {
		return
	}
	if t.known(key{seen, want, width}) {
		return
	}
	t.pairs = append(t.pairs, Pair{Seen: seen, Want: want, Width: width})
	s.pairs++
}

func (t *Table) addText(s *site, seen, want []byte) {
	if string(seen) == string(want) || t.full(s) {
		return
	}
	if t.known(key{hash(seen), hash(want), 0}) {
		return
	}
	t.pairs = append(t.pairs, Pair{
		SeenText: append([]byte(nil), seen...), WantText: append([]byte(nil), want...),
	})
	s.pairs++
}

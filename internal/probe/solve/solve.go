// Package solve derives inputs from the comparisons that an execution made: input-to-state replacement.
//
// Where the target compares a value that stands in the input with another one, the other one is put in its place. A
// [Table] holds what was compared, without what loops compare; [Table.Edits] lists all replacements for an input, and
// [Table.Random] picks one. Variants of the input that take the same path ([Colorize] makes them) tell what stands there
// by coincidence, how a value is computed from a field, and which places are checksums. The package knows nothing about
// processes or coverage, allocates nothing in Random, and is linked into test binaries.
package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// Limits of a Table. A log of one execution of a real parser has some hundred distinct comparisons, of which a few dozen touch
// the input; what a target sets up gives way to them.
const (
	maxPairs   = 384
	maxPerSite = 16
	// loopLength: so many comparisons of one place in a row, of one value that stays with one that goes up or down by
	// one, are a loop.
	loopLength = 6
	// maxEncoded is the size of the longest encoding of an integer: 64 binary digits and a prefix.
	maxEncoded = 80
	// maxFails: a place of which the pairs brought nothing for so many entries is given up. AFL++ gives up as early.
	maxFails = 96
)

// Pair is a value that was compared, and what it was compared with.
type Pair struct {
	Seen, Want uint64
	Width      uint8  // bytes of an integer; 0: a string
	SeenText   []byte // of a string
	WantText   []byte
	Site       uint // place in the program
	Const      bool // Want is a constant of the program
	Key        bool // Want is a key of a map: it may be what stands in the input

	nth      int   // record of the site that it is from
	swapped  bool  // Seen is operand B
	exact    bool  // nothing but Want is wanted
	unstable bool  // another execution of the same input compared something else
	twin     value // in the first variant
}

// value is what a variant of the input has in the place of a pair.
type value struct {
	seen, want         uint64
	seenText, wantText []byte
	ok                 bool // it has something there
}

// variant is another input that takes the same path.
type variant struct {
	args   input.Args
	values []value // one for each pair
	length int     // argument of which the length differs; -1: no length differs
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

// Table is what one execution compared, and what was learned about the places that compare. Its zero value is ready for
// use.
type Table struct {
	// Without are techniques that are off. They may change before a Fill only.
	Without technique.Set
	// Usual are places whose pairs give way to those of all others; nil: none are. It may be changed between Fills.
	Usual *compare.Usual

	pairs    []Pair
	sites    map[uint]*site
	keys     map[key]struct{}
	variants []variant
	fails    map[uint]uint8    // of places, over all entries
	sums     map[uint]checksum // places that compare checksums, over all entries
	descents map[uint]uint8    // of places, over all entries
	tags     [][]byte          // of records, in all entries
	packer   mutate.Material   // decompresses
	random   bool              // Random is at work
	pass     pass
	near     bool        // Random looks at lengths of parts
	args     input.Args  // that the edits are for
	later    []laterEdit // to be listed behind the others
	budget   int         // bytes that may still be searched
	floor    int         // of the budget, where the share of the pair at hand ends

	// Scratch space.
	seenBuf, twinBuf                                            [maxEncoded]byte
	wantBuf                                                     [3][maxEncoded]byte
	seenText, twinText, wantText, decoded, twinDecoded, encoded []byte
	allText                                                     []byte
	emitted                                                     map[edit]bool // what was handed out for args, and whether a variant confirms it
	tried                                                       uint64        // bit set of the forms to try
	textForm                                                    int           // the one that Random tries
	chosen                                                      Edit
	choices                                                     int
	text, frame                                                 []byte
	reversed                                                    Pair
}

// site is a place in the program that compares.
type site struct {
	records    int // so far
	pairs      int
	offered    int             // pairs, those that were not kept included
	kept       [maxPerSite]int // indexes of its pairs
	run        int             // comparisons in a row that look like a loop
	lastA      uint64
	lastB      uint64
	seen, loop bool
}

// Fill makes the Table hold the comparisons of a log. It keeps no reference to it.
func (t *Table) Fill(records []compare.Record) {
	t.pairs, t.variants = t.pairs[:0], t.variants[:0]
	if t.sites == nil {
		t.sites, t.keys = map[uint]*site{}, map[key]struct{}{}
		t.fails, t.sums = map[uint]uint8{}, map[uint]checksum{}
	}
	clear(t.sites)
	clear(t.keys)
	for i := range records {
		t.findLoops(&records[i])
	}
	draw := mutate.NewRand(uint64(len(records))) // the same log makes the same Table
	for _, usual := range [...]bool{false, true} {
		for _, s := range t.sites {
			s.records = 0
		}
		for i := range records {
			t.add(&records[i], usual, draw)
		}
	}
}

// known reports whether the pair was met before in this log.
func (t *Table) known(k key) bool {
	_, known := t.keys[k]
	t.keys[k] = struct{}{}
	return known
}

// Varied reports whether there are variants.
func (t *Table) Varied() bool { return len(t.variants) > 0 }

// Fail notes that nothing came of what the comparisons of a place suggest for one entry. After a number of times the
// Table takes no more pairs of it.
func (t *Table) Fail(site uint) {
	if n := t.fails[site]; n < maxFails {
		t.fails[site] = n + 1
	}
}

// Succeed takes back all that Fail has noted about a place.
func (t *Table) Succeed(site uint) { delete(t.fails, site) }

// plain reports whether only the plain encodings are tried.
func (t *Table) plain() bool { return t.Without.Has(technique.Encodings) }

// numForms is how many of the forms may be tried: those at the head of the table.
func (t *Table) numForms() int {
	if t.plain() {
		return plainForms
	}
	return len(forms)
}

// siteOf returns what is known of the place of a record.
func (t *Table) siteOf(r *compare.Record) *site {
	s := t.sites[r.Site]
	if s == nil {
		s = &site{}
		t.sites[r.Site] = s
	}
	return s
}

// findLoops marks the places whose operands look like those of a loop condition.
func (t *Table) findLoops(r *compare.Record) {
	if r.Op != compare.Int && r.Op != compare.ConstInt {
		return
	}
	s := t.siteOf(r)
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

// add adds the pairs of a record, in both directions unless one side is a constant; only those of places that are usual, or
// of all others.
func (t *Table) add(r *compare.Record, usual bool, draw *mutate.Rand) {
	s := t.siteOf(r)
	nth := s.records
	s.records++
	if s.loop || t.fails[r.Site] >= maxFails || usual != (t.Usual != nil && t.Usual.Has(r.Site)) {
		return
	}
	p := Pair{Site: r.Site, nth: nth}
	switch r.Op {
	case compare.ConstInt:
		p.Seen, p.Want, p.Width, p.Const, p.swapped = r.B, r.A, r.Width, true, true
		t.offer(s, &p, draw)
	case compare.Int:
		p.Seen, p.Want, p.Width = r.A, r.B, r.Width
		t.offer(s, &p, draw)
		p.Seen, p.Want, p.swapped = r.B, r.A, true
		t.offer(s, &p, draw)
	case compare.Map, compare.Number:
		p.SeenText, p.WantText, p.Key = r.SA, r.SB, r.Op == compare.Map
		t.offer(s, &p, draw)
	default:
		p.SeenText, p.WantText = r.SA, r.SB
		t.offer(s, &p, draw)
		p.SeenText, p.WantText, p.swapped = r.SB, r.SA, true
		t.offer(s, &p, draw)
	}
}

// offer adds a pair unless it is known. Of a place with many pairs each has the same chance to be kept.
func (t *Table) offer(s *site, p *Pair, draw *mutate.Rand) {
	if p.Seen == p.Want && string(p.SeenText) == string(p.WantText) {
		return
	}
	if s.pairs < maxPerSite && len(t.pairs) >= maxPairs {
		return
	}
	k := key{p.Seen, p.Want, p.Width}
	if p.Width == 0 {
		k = key{hash(p.SeenText), hash(p.WantText), 0}
	}
	if t.known(k) {
		return
	}
	s.offered++
	at := len(t.pairs)
	if s.pairs < maxPerSite {
		s.kept[s.pairs] = at
		s.pairs++
		t.pairs = append(t.pairs, Pair{})
	} else {
		i := draw.Intn(s.offered)
		if i >= maxPerSite {
			return
		}
		at = s.kept[i]
	}
	t.pairs[at] = *p
	if p.Width == 0 {
		t.pairs[at].SeenText = append([]byte(nil), p.SeenText...)
		t.pairs[at].WantText = append([]byte(nil), p.WantText...)
	}
}

// Repeat tells what another execution of the same input compared, before any variant. What differs is an address, a time or
// a random number: the compiler has copies of memory compare addresses, too. No field is turned for such a value.
func (t *Table) Repeat(records []compare.Record) {
	of := bySite(records)
	for i := range t.pairs {
		p := &t.pairs[i]
		if list := of[p.Site]; p.nth < len(list) && p.Width > 0 {
			v := p.valueOf(&records[list[p.nth]])
			p.unstable = v.ok && (v.seen != p.Seen || v.want != p.Want)
		}
	}
}

// bySite returns the indexes of the records of each place.
func bySite(records []compare.Record) map[uint][]int {
	of := map[uint][]int{}
	for i := range records {
		of[records[i].Site] = append(of[records[i].Site], i)
	}
	return of
}

// Vary tells what a variant of the input compared: one that takes the same path, in which other bytes stand where they do
// not matter. The first one decides which matches are no coincidence. The Table keeps no reference to the arguments.
func (t *Table) Vary(a input.Args, records []compare.Record) { t.vary(a, records, -1) }

// VaryLength tells what a variant compared of which the buffer arg has another length. It needs a first variant.
func (t *Table) VaryLength(a input.Args, records []compare.Record, arg int) { t.vary(a, records, arg) }

func (t *Table) vary(a input.Args, records []compare.Record, length int) {
	if length >= 0 && len(t.variants) == 0 {
		return
	}
	of := bySite(records)
	v := variant{args: a.Clone(), values: make([]value, len(t.pairs)), length: length}
	for i := range t.pairs {
		p := &t.pairs[i]
		if list := of[p.Site]; p.nth < len(list) {
			v.values[i] = p.valueOf(&records[list[p.nth]])
		}
		if len(t.variants) == 0 {
			p.twin = v.values[i]
		}
	}
	t.variants = append(t.variants, v)
}

// valueOf returns what a record of another execution has in the place of a pair.
func (p *Pair) valueOf(r *compare.Record) value {
	if r.Width != p.Width {
		return value{}
	}
	v := value{seen: r.A, want: r.B, ok: true}
	if p.Width == 0 {
		v.seenText, v.wantText = append([]byte(nil), r.SA...), append([]byte(nil), r.SB...)
	}
	if p.swapped {
		v.seen, v.want, v.seenText, v.wantText = v.want, v.seen, v.wantText, v.seenText
	}
	return v
}

package solve

import (
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// Limits of a Log. One execution of a real parser has some hundred distinct comparisons, of which a few dozen are of values
// from the input.
const (
	maxPairs   = 384
	maxPerSite = 16
	// loopLength is how many comparisons in a row of one place are taken for a loop, if one operand stays the same and the
	// other one goes up or down by one.
	loopLength = 6
	// maxFails is the number of entries after which a place is ignored if its pairs have led to nothing new. AFL++ has the
	// same limit.
	maxFails = 96
)

// Log is a comparison log: what one execution of an entry compared, and what variants of the entry compared at the same
// places. It counts for each place of the program the entries for which its comparisons led to nothing new.
type Log struct {
	// Usual are places whose pairs are taken only if there is room for them after those of all other places; nil: there are
	// none. It may be changed between Fills.
	Usual *compare.Usual

	pairs    []pair
	sites    map[uint]*site
	keys     map[key]struct{}
	variants []variant
	fails    map[uint]uint8 // of places, over all entries
}

// site is what the log has of one place of the program.
type site struct {
	records    int // so far
	pairs      int
	offered    int             // pairs, with those that were not kept
	kept       [maxPerSite]int // indexes of its pairs
	run        int             // comparisons in a row that look like a loop
	lastA      uint64
	lastB      uint64
	seen, loop bool
}

// key identifies a pair; strings by their hashes. A collision costs a pair and nothing else.
type key struct {
	seen, want uint64
	width      uint8
}

// Fill replaces what the Log holds by the comparisons of an execution. It keeps no reference to the records.
func (l *Log) Fill(records []compare.Record) {
	l.pairs, l.variants = l.pairs[:0], l.variants[:0]
	if l.sites == nil {
		l.sites, l.keys = map[uint]*site{}, map[key]struct{}{}
		l.fails = map[uint]uint8{}
	}
	clear(l.sites)
	clear(l.keys)
	for i := range records {
		l.findLoops(&records[i])
	}
	draw := mutate.NewRand(uint64(len(records))) // the same records make the same Log
	for _, usual := range [...]bool{false, true} {
		for _, s := range l.sites {
			s.records = 0
		}
		for i := range records {
			l.add(&records[i], usual, draw)
		}
	}
}

// Fail notes that what the comparisons of a place suggest for one entry has led to nothing new. After a number of entries
// the Log takes no more pairs of the place.
func (l *Log) Fail(site uint) {
	if n := l.fails[site]; n < maxFails {
		l.fails[site] = n + 1
	}
}

// Succeed resets what Fail has noted about a place.
func (l *Log) Succeed(site uint) { delete(l.fails, site) }

// findLoops marks the places whose operands look like those of a loop condition.
func (l *Log) findLoops(r *compare.Record) {
	if r.Op != compare.Int && r.Op != compare.ConstInt {
		return
	}
	s := l.siteOf(r)
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

// add adds the pairs of a record, in both directions unless one side is a constant. It ignores a record of a place that is
// usual if usual is false, and of any other place if it is true.
func (l *Log) add(r *compare.Record, usual bool, draw *mutate.Rand) {
	s := l.siteOf(r)
	nth := s.records
	s.records++
	if s.loop || l.fails[r.Site] >= maxFails || usual != (l.Usual != nil && l.Usual.Has(r.Site)) {
		return
	}
	p := pair{Site: r.Site, nth: nth}
	switch r.Op {
	case compare.ConstInt:
		p.Seen, p.Want, p.Width, p.Const, p.swapped = r.B, r.A, r.Width, true, true
		l.offer(s, &p, draw)
	case compare.Int:
		p.Seen, p.Want, p.Width = r.A, r.B, r.Width
		l.offer(s, &p, draw)
		p.Seen, p.Want, p.swapped = r.B, r.A, true
		l.offer(s, &p, draw)
	case compare.Map, compare.Number:
		p.SeenText, p.WantText, p.Key = r.SA, r.SB, r.Op == compare.Map
		l.offer(s, &p, draw)
	default:
		p.SeenText, p.WantText = r.SA, r.SB
		l.offer(s, &p, draw)
		p.SeenText, p.WantText, p.swapped = r.SB, r.SA, true
		l.offer(s, &p, draw)
	}
}

// offer adds a pair unless it is known. If a place has many pairs, each of them is kept with the same probability.
func (l *Log) offer(s *site, p *pair, draw *mutate.Rand) {
	if p.Seen == p.Want && string(p.SeenText) == string(p.WantText) {
		return
	}
	if s.pairs < maxPerSite && len(l.pairs) >= maxPairs {
		return
	}
	k := key{p.Seen, p.Want, p.Width}
	if p.Width == 0 {
		k = key{hash(p.SeenText), hash(p.WantText), 0}
	}
	if l.known(k) {
		return
	}
	s.offered++
	at := len(l.pairs)
	if s.pairs < maxPerSite {
		s.kept[s.pairs] = at
		s.pairs++
		l.pairs = append(l.pairs, pair{})
	} else {
		i := draw.Intn(s.offered)
		if i >= maxPerSite {
			return
		}
		at = s.kept[i]
	}
	l.pairs[at] = *p
	if p.Width == 0 {
		l.pairs[at].SeenText = append([]byte(nil), p.SeenText...)
		l.pairs[at].WantText = append([]byte(nil), p.WantText...)
	}
}

// known reports whether the Log was offered the pair before.
func (l *Log) known(k key) bool {
	_, known := l.keys[k]
	l.keys[k] = struct{}{}
	return known
}

// siteOf returns the site of a record.
func (l *Log) siteOf(r *compare.Record) *site {
	s := l.sites[r.Site]
	if s == nil {
		s = &site{}
		l.sites[r.Site] = s
	}
	return s
}

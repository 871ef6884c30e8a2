package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// Checksums knows the places of the program that compare a checksum: a field of the input with a value that the target
// computes from other bytes.
type Checksums struct {
	// Without are the techniques that are off.
	Without technique.Set

	search search
	sums   map[uint]checksum // by the place, over all entries
	text   []byte            // that nearest inserts
}

// checksum is such a place.
type checksum struct {
	form    int  // how the field is written: an index into forms or, for strings, a text form; argumentForm
	swapped bool // the field is operand B
	at      int  // where the field was; in argumentForm, which argument it is
	fromEnd int
}

// maxSums is the number of checksum places that are remembered.
const maxSums = 64

// Find looks for places of which one operand is a field of a, which is the entry of the log, or a number argument, in the
// variants too, while the other operand is not in the input and differs in each variant: the target computes it. If none of
// the bytes that it is computed from can vary, as in compressed data, it need not differ but must be a large number; next to
// an argument it must be large in any case. The places are remembered.
func (k *Checksums) Find(log *Log, a input.Args) {
	if k.Without.Has(technique.Checksums) || len(log.variants) < minFit-1 {
		return
	}
	k.search.start(k.Without)
	k.search.budget.grant()
	for i := range log.pairs {
		p := &log.pairs[i]
		if _, known := k.sums[p.Site]; known || p.Const || p.Width == 1 || len(k.sums) >= maxSums || !log.computed(i) {
			continue
		}
		if !k.search.spend(2 * numForms(k.Without) * a.Size()) {
			return
		}
		if p.Width == 0 && !p.digest(a) {
			continue
		}
		back := pair{
			Seen: p.Want, Want: p.Seen, Width: p.Width, SeenText: p.WantText, WantText: p.SeenText,
			twin: value{p.twin.want, p.twin.seen, p.twin.wantText, p.twin.seenText, p.twin.ok},
		}
		if _, both := k.search.fieldOf(log, &back, a, plainForms); both || argumentOf(log, &back, a) >= 0 {
			continue
		}
		c, ok := k.search.fieldOf(log, p, a, numForms(k.Without))
		if !ok && p.Want >= minComputed {
			c = checksum{form: argumentForm, at: argumentOf(log, p, a)}
			ok = c.at >= 0
		}
		if ok {
			c.swapped = p.swapped
			k.remember(p.Site, c)
		}
	}
}

// remember notes that a place compares a checksum.
func (k *Checksums) remember(site uint, c checksum) {
	if k.sums == nil {
		k.sums = map[uint]checksum{}
	}
	k.sums[site] = c
}

// In reports whether the log has comparisons of checksums.
func (k *Checksums) In(log *Log) bool {
	if k.Without.Has(technique.Checksums) {
		return false
	}
	for site := range k.sums {
		if log.sites[site] != nil {
			return true
		}
	}
	return false
}

// Candidate is a field of the input that may be a checksum: the number in it was compared with an equal one.
type Candidate struct {
	Arg, At, Len int // argument, position and length in bytes
	sum          checksum
	site         uint
	nth          int
	value        uint64
}

// maxCandidates is how many candidates one log has at most.
const maxCandidates = 8

// Candidates returns the fields of a that may be checksums, according to its log.
func (k *Checksums) Candidates(records []compare.Record, a input.Args) (list []Candidate) {
	if k.Without.Has(technique.Checksums) {
		return nil
	}
	k.search.start(k.Without)
	k.search.budget.grant()
	count := map[uint]int{}
	for i := range records {
		r := &records[i]
		nth := count[r.Site]
		count[r.Site]++
		_, known := k.sums[r.Site]
		if r.Op != compare.Int || r.Width < 4 || r.A != r.B || r.A < minComputed || known || len(list) >= maxCandidates {
			continue
		}
		list = k.appendCandidates(list, r, nth, a)
	}
	return list
}

// appendCandidates adds the fields that hold the number of a record, in the first form in which there is any.
func (k *Checksums) appendCandidates(list []Candidate, r *compare.Record, nth int, a input.Args) []Candidate {
	p := pair{Seen: r.A, Want: ^r.A, Width: r.Width, exact: true}
	before := len(list)
	for form := 0; form < numForms(k.Without) && len(list) == before; form++ {
		for arg := range a {
			b := a[arg].Data
			if !k.search.spend(len(b)) {
				return list
			}
			k.search.begin(a)
			k.search.formEdits(&p, form, place{arg: arg, data: b}, func(e Edit) bool {
				sum := checksum{form: form, at: e.At, fromEnd: len(b) - e.At}
				list = append(list, Candidate{arg, e.At, e.Len, sum, r.Site, nth, r.A})
				return false
			})
		}
	}
	return list
}

// Confirm reports whether a candidate is a checksum, from the comparisons of an input in which other bytes have changed: then
// one side is the same as before, and the other one is not. If it is a checksum, the place is remembered.
func (k *Checksums) Confirm(s Candidate, records []compare.Record) bool {
	for i := range records {
		r := &records[i]
		if r.Site != s.site {
			continue
		}
		if s.nth > 0 {
			s.nth--
			continue
		}
		if s.sum.swapped = r.B == s.value; r.A != r.B && (r.A == s.value || r.B == s.value) && len(k.sums) < maxSums {
			k.remember(s.site, s.sum)
			return true
		}
		return false
	}
	return false
}

// Repair writes the expected value of the first checksum that is wrong, according to the comparisons of a, into a. It
// reports whether there was one. It does not make a buffer longer than maxLen.
func (k *Checksums) Repair(records []compare.Record, a input.Args, maxLen int) bool {
	k.search.start(k.Without)
	for i := range records {
		r := &records[i]
		c, known := k.sums[r.Site]
		if !known || r.A == r.B && string(r.SA) == string(r.SB) {
			continue
		}
		p := pair{Seen: r.A, Want: r.B, Width: r.Width, SeenText: r.SA, WantText: r.SB, exact: true}
		if c.swapped {
			p.Seen, p.Want, p.SeenText, p.WantText = p.Want, p.Seen, p.WantText, p.SeenText
		}
		if e, ok := k.nearest(&p, c, a); ok && e.Apply(a, maxLen) {
			return true
		}
	}
	return false
}

// nearest returns the edit of the field that is nearest to where the checksum was, counted from either end.
func (k *Checksums) nearest(p *pair, c checksum, a input.Args) (best Edit, ok bool) {
	k.search.begin(a)
	if c.form == argumentForm {
		k.search.numberEdits(p, &a[c.at], nil, c.at, func(e Edit) bool {
			best, ok = e, true
			return false
		})
		return best, ok
	}
	least := 0
	for arg := range a {
		if !a[arg].Kind.IsBuffer() {
			continue
		}
		n := len(a[arg].Data)
		k.search.inForm(p, c.form, place{arg: arg, data: a[arg].Data}, func(e Edit) bool {
			if d := min(distance(e.At, c.at), distance(n-e.At, c.fromEnd)); !ok || d < least {
				k.text = append(k.text[:0], e.New...)
				best, least, ok = e, d, true
			}
			return true
		})
	}
	best.New = k.text
	return best, ok
}

func distance(a, b int) int { return max(a-b, b-a) }

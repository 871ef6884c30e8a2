package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// checksum is a place that compares a field of the input with what the target computes from other bytes.
type checksum struct {
	form    int  // how the field is written: an index into forms or, for strings, a text form; argumentForm
	swapped bool // the field is operand B
	at      int  // where the field was; in argumentForm, which argument it is
	fromEnd int
}

// argumentForm is the form of a checksum that is a number argument, beside the data.
const argumentForm = verbatimForm - 1

// maxSums is the number of checksum places that are remembered.
const maxSums = 64

// FindChecksums looks for places of which one operand is a field of a, or a number argument, in the variants too, while the
// other one stands nowhere and is different in each: it is computed. Where nothing that it is computed from can be replaced, as
// in compressed data, a large number will do; beside an argument it has to be one. They are remembered until the end.
func (t *Table) FindChecksums(a input.Args) {
	if t.Without.Has(technique.Checksums) || len(t.variants) < minFit-1 {
		return
	}
	t.grant()
	for i := range t.pairs {
		p := &t.pairs[i]
		if _, known := t.sums[p.Site]; known || p.Const || p.Width == 1 || len(t.sums) >= maxSums || !t.computed(i) {
			continue
		}
		if !t.search(2 * t.numForms() * a.Size()) {
			return
		}
		if p.Width == 0 && !p.digest(a) {
			continue
		}
		back := Pair{
			Seen: p.Want, Want: p.Seen, Width: p.Width, SeenText: p.WantText, WantText: p.SeenText,
			twin: value{p.twin.want, p.twin.seen, p.twin.wantText, p.twin.seenText, p.twin.ok},
		}
		if _, both := t.fieldOf(&back, a, plainForms); both || t.argumentOf(&back, a) >= 0 {
			continue
		}
		c, ok := t.fieldOf(p, a, t.numForms())
		if !ok && p.Want >= minComputed {
			c = checksum{form: argumentForm, at: t.argumentOf(p, a)}
			ok = c.at >= 0
		}
		if ok {
			c.swapped = p.swapped
			t.sums[p.Site] = c
		}
	}
}

// minComputed: smaller numbers are lengths, limits and positions.
const minComputed = 1 << 16

// computed reports whether the wanted side of a pair may be a checksum.
func (t *Table) computed(i int) bool {
	p := &t.pairs[i]
	var s, seen points
	s.add(p.Want ^ hash(p.WantText))
	seen.add(p.Seen ^ hash(p.SeenText))
	for j := range t.variants {
		v := &t.variants[j]
		if v.length >= 0 {
			continue
		}
		if !v.values[i].ok {
			return false
		}
		s.add(v.values[i].want ^ hash(v.values[i].wantText))
		seen.add(v.values[i].seen ^ hash(v.values[i].seenText))
	}
	return s.n >= minFit && seen.distinct() == s.n && (s.distinct() == s.n || p.Width >= 4 && p.Want >= minComputed)
}

const (
	// Strings of these lengths may be digests: from 32 bits in digits to 512 in bytes. Shorter ones without text in them are
	// compared as numbers, too, and a log has no longer ones.
	minDigest, maxDigest = 8, 64
	// digestPart: what shares so many bytes with the input is made of parts of it.
	digestPart = 4
)

// digest reports whether the wanted side of a pair of strings may be computed from a as a whole. A name that is put together
// from parts of a is as different in each variant.
func (p *Pair) digest(a input.Args) bool {
	n := len(p.WantText)
	if n != len(p.SeenText) || n < minDigest || n > maxDigest {
		return false
	}
	for at := 0; at+digestPart <= n; at++ {
		for arg := range a {
			if nextText(p.WantText[at:at+digestPart], a[arg].Data, 0) >= 0 {
				return false
			}
		}
	}
	return true
}

// fieldOf returns the field that the seen side of a pair is, an integer in one of the first n forms.
func (t *Table) fieldOf(p *Pair, a input.Args, n int) (c checksum, ok bool) {
	t.pass, t.random = passTight, false
	for arg := range a {
		if !a[arg].Kind.IsBuffer() {
			continue
		}
		at := place{arg, a[arg].Data, t.variants[0].args[arg].Data}
		from, to := 0, n
		if p.Width == 0 {
			from, to = verbatimForm, len(textForms)
		}
		for i := from; i < to && !ok; i++ {
			t.begin(a)
			t.inForm(p, i, at, func(e Edit) bool {
				c, ok = checksum{form: i, at: e.At, fromEnd: len(a[arg].Data) - e.At}, true
				return false
			})
		}
	}
	t.pass = passAll
	return c, ok
}

// argumentOf returns the argument of the target that the seen side of a pair is, in the variants too; -1 if none is.
func (t *Table) argumentOf(p *Pair, a input.Args) int {
	for arg := range a {
		v, twin := &a[arg], &t.variants[0].args[arg]
		if v.Kind < input.Int || v.Kind > input.Uint64 || p.Width < 4 || !p.twin.ok {
			continue
		}
		if p.fromNumber(v, p.Seen) && p.fromNumber(twin, p.twin.seen) {
			return arg
		}
	}
	return -1
}

// inForm lists the edits of a pair in one form.
func (t *Table) inForm(p *Pair, i int, at place, yield func(e Edit) bool) {
	switch {
	case p.Width > 0:
		t.formEdits(p, i, at, yield)
	case i == verbatimForm:
		t.verbatimEdits(p, at, yield)
	default:
		t.formTextEdits(p, i, at, yield)
	}
}

// Sums reports whether the log of Fill has comparisons of checksums.
func (t *Table) Sums() bool {
	if t.Without.Has(technique.Checksums) {
		return false
	}
	for site := range t.sums {
		if t.sites[site] != nil {
			return true
		}
	}
	return false
}

// Candidate is a field of the input that may be a checksum: the number in it was compared with an equal one.
type Candidate struct {
	Arg, At, Len int // where it stands
	sum          checksum
	site         uint
	nth          int
	value        uint64
}

// maxCandidates is how many candidates one log has at most.
const maxCandidates = 8

// Candidates returns the fields of a that may be checksums, according to its log.
func (t *Table) Candidates(records []compare.Record, a input.Args) (list []Candidate) {
	if t.Without.Has(technique.Checksums) {
		return nil
	}
	t.grant()
	count := map[uint]int{}
	for i := range records {
		r := &records[i]
		nth := count[r.Site]
		count[r.Site]++
		_, known := t.sums[r.Site]
		if r.Op != compare.Int || r.Width < 4 || r.A != r.B || r.A < minComputed || known || len(list) >= maxCandidates {
			continue
		}
		list = t.appendCandidates(list, r, nth, a)
	}
	return list
}

// appendCandidates adds the places where the number of a record stands, in the first form in which it stands anywhere.
func (t *Table) appendCandidates(list []Candidate, r *compare.Record, nth int, a input.Args) []Candidate {
	p := Pair{Seen: r.A, Want: ^r.A, Width: r.Width, exact: true}
	before := len(list)
	t.pass, t.random = passAll, false
	for form := 0; form < t.numForms() && len(list) == before; form++ {
		for arg := range a {
			b := a[arg].Data
			if !t.search(len(b)) {
				return list
			}
			t.begin(a)
			t.formEdits(&p, form, place{arg: arg, data: b}, func(e Edit) bool {
				sum := checksum{form: form, at: e.At, fromEnd: len(b) - e.At}
				list = append(list, Candidate{arg, e.At, e.Len, sum, r.Site, nth, r.A})
				return false
			})
		}
	}
	return list
}

// Confirm decides about a candidate by the log of an input in which other bytes have changed: if it is a checksum, one side
// is what it was, and the other one is not. Then the place is remembered, and Confirm reports true.
func (t *Table) Confirm(s Candidate, records []compare.Record) bool {
	for i := range records {
		r := &records[i]
		if r.Site != s.site {
			continue
		}
		if s.nth > 0 {
			s.nth--
			continue
		}
		if s.sum.swapped = r.B == s.value; r.A != r.B && (r.A == s.value || r.B == s.value) && len(t.sums) < maxSums {
			t.sums[s.site] = s.sum
			return true
		}
		return false
	}
	return false
}

// Repair writes the expected value of the first checksum that is wrong, according to the log of a, into a. It reports
// whether there was one.
func (t *Table) Repair(records []compare.Record, a input.Args, maxLen int) bool {
	t.pass, t.random = passAll, false
	for i := range records {
		r := &records[i]
		c, known := t.sums[r.Site]
		if !known || r.A == r.B && string(r.SA) == string(r.SB) {
			continue
		}
		p := Pair{Seen: r.A, Want: r.B, Width: r.Width, SeenText: r.SA, WantText: r.SB, exact: true}
		if c.swapped {
			p.Seen, p.Want, p.SeenText, p.WantText = p.Want, p.Seen, p.WantText, p.SeenText
		}
		if e, ok := t.nearest(&p, c, a); ok && e.Apply(a, maxLen) {
			return true
		}
	}
	return false
}

// nearest returns the edit for a checksum whose field is the nearest to where it was, from one end or the other.
func (t *Table) nearest(p *Pair, c checksum, a input.Args) (best Edit, ok bool) {
	t.begin(a)
	if c.form == argumentForm {
		t.numberEdits(p, &a[c.at], nil, c.at, func(e Edit) bool {
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
		t.inForm(p, c.form, place{arg: arg, data: a[arg].Data}, func(e Edit) bool {
			if d := min(distance(e.At, c.at), distance(n-e.At, c.fromEnd)); !ok || d < least {
				t.text = append(t.text[:0], e.New...)
				best, least, ok = e, d, true
			}
			return true
		})
	}
	best.New = t.text
	return best, ok
}

func distance(a, b int) int { return max(a-b, b-a) }

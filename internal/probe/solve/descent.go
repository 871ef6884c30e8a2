package solve

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

const (
	// maxDescents: so many entries may try to get closer at one place of the program. What is monotonic in a field gives
	// way at once, and what is not never does.
	maxDescents = 3
	// descentPairs is how many comparisons of one entry are tried, and descentExecs what each may cost.
	descentPairs = 4
	descentExecs = 400
	// maxDials is the number of fields that are turned one after the other. Of each, both neighbours of the value that
	// would be right are gone on with, so the cost doubles with each.
	maxDials = 5
	// maxChecked is how many pairs of an entry are looked for in the input, and maxNumerals how many numerals of a text may
	// be fields.
	maxChecked  = 32
	maxNumerals = 32
	// maxSteps is the number of executions along one field: as many as it takes to bisect 64 bits.
	maxSteps = 70
)

// descent is the search for the value of a few fields for which a comparison sees what it wants. It executes inputs.
type descent struct {
	p      *Pair
	run    func(a input.Args) ([]compare.Record, bool)
	left   int // executions
	signed bool
}

// sample is an input, and how far the comparison is from what it wants.
type sample struct {
	args input.Args
	x    uint64  // of the field that was turned last
	diff float64 // what is wanted minus what was seen
	ok   bool
}

// Descend looks for values that a comparison gets closer to what it wants with: those of numbers in a of which what is
// compared is no linear function, such as a square or the number of a day. run executes an input and returns its log; it
// reports false when no more may be executed.
func (t *Table) Descend(a input.Args, run func(a input.Args) ([]compare.Record, bool)) {
	if t.Without.Has(technique.ValueProfile) || a.Size() > maxFields {
		return
	}
	if t.descents == nil {
		t.descents = map[uint]uint8{}
	}
	tried, checked := 0, 0
	for i := range t.pairs {
		p := &t.pairs[i]
		if tried == descentPairs || checked == maxChecked {
			return
		}
		if !t.moves(i) {
			continue
		}
		checked++
		if _, direct := t.fieldOf(p, a, t.numForms()); direct {
			continue
		}
		tried++
		t.descents[p.Site]++
		d := descent{p: p, run: run, left: descentExecs, signed: isSmall(p.Seen, p.Width) && isSmall(p.Want, p.Width)}
		if d.reach(a) {
			t.descents[p.Site] = 0
		}
	}
}

// moves reports whether what pair i sees depends on what the variants have changed, and what it wants does not. If it
// stands in the input, no descent is needed.
func (t *Table) moves(i int) (moves bool) {
	p := &t.pairs[i]
	if p.unstable || p.Width < 2 || p.Width > 8 || t.descents[p.Site] >= maxDescents || p.nth >= maxPerSite {
		return false
	}
	for j := range t.variants {
		if v := &t.variants[j]; v.length < 0 && v.values[i].ok {
			if v.values[i].want != p.Want {
				return false
			}
			moves = moves || v.values[i].seen != p.Seen
		}
	}
	return moves
}

// isSmall reports whether v may be a signed number: it is far from the middle of the range.
func isSmall(v uint64, width uint8) bool {
	s := int64(signExtend(v, width))
	limit := int64(1) << (8*width - 2)
	return s < limit && s >= -limit
}

// distance returns want-seen, without an overflow.
func (d *descent) distance(seen, want uint64) float64 {
	if d.signed {
		return float64(int64(signExtend(want, d.p.Width))) - float64(int64(signExtend(seen, d.p.Width)))
	}
	if want >= seen {
		return float64(want - seen)
	}
	return -float64(seen - want)
}

// at executes s with a field turned to x. A numeral that is not valid with fewer digits than it had is filled up with zeros
// from then on.
func (d *descent) at(s sample, f *dial, x uint64) sample {
	next := d.execute(s, f, x)
	if next.ok || !f.text || f.width > 0 {
		return next
	}
	full := *f
	full.width = numeralOf(s.args[f.arg].Data, f.nth).n
	if next = d.execute(s, &full, x); next.ok {
		*f = full
	}
	return next
}

func (d *descent) execute(s sample, f *dial, x uint64) sample {
	next := sample{args: s.args.Clone(), x: x}
	if d.left <= 0 || !f.set(next.args, x) {
		return next
	}
	d.left--
	records, more := d.run(next.args)
	if !more {
		d.left = 0
	}
	nth := d.p.nth
	for i := range records {
		if records[i].Site != d.p.Site {
			continue
		}
		if nth--; nth < 0 {
			v := d.p.valueOf(&records[i])
			next.ok, next.diff = v.ok, d.distance(v.seen, v.want)
			break
		}
	}
	return next
}

// reach descends with what may be signed numbers as such. Where that leads the other way, they may be unsigned all the same.
func (d *descent) reach(a input.Args) bool {
	for {
		start := sample{args: a, diff: d.distance(d.p.Seen, d.p.Want), ok: true}
		dials := d.dials(start)
		if d.descend(start, dials[:min(len(dials), maxDials)]) {
			return true
		}
		if !d.signed || (d.p.Seen^d.p.Want)>>(8*d.p.Width-1)&1 == 0 {
			return false
		}
		d.signed = false
	}
}

// descend turns the fields one after the other, those that matter most first. It reports whether the comparison has seen
// what it wants.
func (d *descent) descend(s sample, dials []dial) bool {
	if s.diff == 0 {
		return true
	}
	if len(dials) == 0 || d.left <= 0 {
		return false
	}
	near := d.along(s, &dials[0])
	for _, next := range [2]sample{near.below, near.above} {
		if next.ok && d.descend(next, dials[1:]) {
			return true
		}
	}
	return false
}

// nudge turns a field as little as makes a difference.
func (d *descent) nudge(s sample, f *dial) (next sample) {
	for step := uint64(1); step <= 1<<16; step *= 16 {
		for _, x := range [2]uint64{s.x + step, s.x - step} {
			if f.holds(x) {
				if next = d.at(s, f, x); next.ok && next.diff != s.diff {
					return next
				}
			}
		}
	}
	return sample{}
}

// bracket is what is known about one field: the nearest samples that see less than what is wanted, or just that, and that
// see more.
type bracket struct{ below, above sample }

func (k *bracket) note(s sample) {
	side := &k.above
	if s.diff >= 0 {
		side = &k.below
	}
	if s.ok && (!side.ok || closer(s.diff, side.diff)) {
		*side = s
	}
}

// closed reports whether there are samples on both sides; over, that no other one can be nearer.
func (k *bracket) closed() bool { return k.below.ok && k.above.ok }

func (k *bracket) over() bool {
	return k.below.ok && k.below.diff == 0 || k.closed() && (k.below.x-k.above.x == 1 || k.above.x-k.below.x == 1)
}

// along turns one field until the comparison sees what it wants, or the neighbours of that are known.
func (d *descent) along(s sample, f *dial) (k bracket) {
	s.x = f.get(s.args)
	k.note(s)
	last, best := s, d.nudge(s, f)
	k.note(best)
	for i := 0; best.ok && i < maxSteps && d.left > 0 && !k.over(); i++ {
		x := uint64(0)
		if k.closed() {
			x = between(&k.below, &k.above, i%2 == 1)
		} else {
			x = f.beyond(&best, &last)
		}
		last, best = best, d.toward(best, f, x)
		k.note(best)
	}
	return k
}

// toward turns a field to x, or half of the way if that is not valid, and so on. The result is not ok if nothing is left.
func (d *descent) toward(s sample, f *dial, x uint64) sample {
	for way := int64(x - s.x); way != 0 && d.left > 0; way /= 2 {
		if next := d.at(s, f, s.x+uint64(way)); next.ok {
			return next
		}
	}
	return sample{}
}

func closer(a, b float64) bool { return max(a, -a) < max(b, -b) }

// between returns a position between two, where a line meets what is wanted, or in the middle.
func between(a, b *sample, middle bool) uint64 {
	if a.x > b.x {
		a, b = b, a
	}
	n := b.x - a.x
	share := a.diff / (a.diff - b.diff)
	if middle || !(share > 0 && share < 1) {
		share = 0.5
	}
	return a.x + min(max(uint64(share*float64(n)), 1), n-1)
}

// beyond returns where a line through two samples meets what is wanted, within what the field holds. best is nearer to it,
// or newer.
func (f *dial) beyond(best, last *sample) uint64 {
	if best.diff == last.diff {
		return best.x
	}
	run := float64(best.x - last.x)
	if best.x < last.x {
		run = -float64(last.x - best.x)
	}
	step := best.diff * run / (last.diff - best.diff)
	if up := f.most - best.x; step > 0 {
		if step >= float64(up) {
			return f.most
		}
		return best.x + max(uint64(step), min(1, up))
	}
	if -step >= float64(best.x-f.least) {
		return f.least
	}
	return best.x - max(uint64(-step), min(1, best.x-f.least))
}

// dials returns the fields that make a difference to the comparison, the one that makes most first.
func (d *descent) dials(s sample) []dial {
	var list []dial
	add := func(f dial) bool {
		s.x = f.get(s.args)
		next := d.nudge(s, &f)
		if !next.ok {
			return false
		}
		f.slope = (s.diff - next.diff) / (float64(next.x) - float64(s.x))
		f.slope = max(f.slope, -f.slope)
		list = append(list, f)
		return true
	}
	for arg := range s.args {
		v := &s.args[arg]
		if !v.Kind.IsBuffer() {
			if f, ok := numberDial(v, arg); ok {
				add(f)
			}
			continue
		}
		texts := 0
		for n := 0; n < maxNumerals; n++ {
			f, ok := textDial(v.Data, arg, n)
			if !ok {
				break
			}
			if add(f) {
				texts++
			}
		}
		if texts == 0 {
			for _, f := range d.binaryDials(s, arg) {
				add(f)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b dial) int {
		switch {
		case a.slope > b.slope:
			return -1
		case a.slope < b.slope:
			return 1
		}
		return 0
	})
	return list
}

// maxBytes is how many bytes of a buffer are looked at one by one.
const maxBytes = 64

// binaryDials returns the runs of bytes that make a difference, as numbers in both orders of bytes.
func (d *descent) binaryDials(s sample, arg int) (list []dial) {
	n := min(len(s.args[arg].Data), maxBytes)
	from := 0
	for i := 0; i <= n; i++ {
		if i < n && i-from < 8 {
			one := dial{arg: arg, at: i, size: 1, most: 0xff}
			x := one.get(s.args)
			if next := d.at(s, &one, x^1); next.ok && next.diff != s.diff {
				continue
			}
		}
		if i > from {
			for _, big := range [2]bool{true, false} {
				list = append(list, dial{arg: arg, at: from, size: i - from, big: big, most: widthMask(uint8(i - from))})
			}
		}
		if i-from < 8 {
			from = i + 1
		} else { // the run is full, and this byte may begin the next one
			from, i = i, i-1
		}
	}
	return list
}

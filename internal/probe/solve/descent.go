package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

const (
	// maxDescents is how many entries may try one place of the program in vain. A function that is monotonic in a field is
	// solved at once, and others never are.
	maxDescents = 3
	// descentPairs is how many comparisons of one entry are tried, and descentExecs how many executions each may take.
	descentPairs = 4
	descentExecs = 400
	// maxDials is the number of fields that are changed one after the other. The search continues from both neighbours of
	// the best value of each field, so the cost doubles with each.
	maxDials = 5
	// maxChecked is how many pairs of an entry are looked for in the input, and maxNumerals how many numerals of a text may
	// be fields.
	maxChecked  = 32
	maxNumerals = 32
	// maxSteps is the number of executions along one field: enough to bisect 64 bits.
	maxSteps = 70
)

// Descent changes fields of inputs, step by step, until a comparison sees what it wants: a search by descent on the
// difference of the operands. It executes inputs.
type Descent struct {
	// Without are the techniques that are off.
	Without technique.Set

	search search
	tried  map[uint]uint8 // entries that were tried in vain, by the place
}

// Descend changes numbers in a, the entry of the log, so that what a comparison sees comes closer to what it wants. It
// solves functions of the numbers that are not linear, such as a square or the number of a day. run executes an input and
// returns its comparisons; it reports false when no more inputs may be executed.
func (d *Descent) Descend(log *Log, a input.Args, run func(a input.Args) ([]compare.Record, bool)) {
	if d.Without.Has(technique.ValueProfile) || a.Size() > maxFields {
		return
	}
	if d.tried == nil {
		d.tried = map[uint]uint8{}
	}
	d.search.start(d.Without)
	tried, checked := 0, 0
	for i := range log.pairs {
		p := &log.pairs[i]
		if tried == descentPairs || checked == maxChecked {
			return
		}
		if d.tried[log.pairs[i].Site] >= maxDescents || !log.moves(i) {
			continue
		}
		checked++
		if _, direct := d.search.fieldOf(log, p, a, numForms(d.Without)); direct {
			continue
		}
		tried++
		d.tried[p.Site]++
		w := pairDescent{p: p, run: run, left: descentExecs, signed: isSmall(p.Seen, p.Width) && isSmall(p.Want, p.Width)}
		if w.reach(a) {
			d.tried[p.Site] = 0
		}
	}
}

// isSmall reports whether v may be a signed number: it is far from the middle of the range.
func isSmall(v uint64, width uint8) bool {
	s := int64(signExtend(v, width))
	limit := int64(1) << (8*width - 2)
	return s < limit && s >= -limit
}

// pairDescent is the search for values of a few fields for which one comparison sees what it wants.
type pairDescent struct {
	p      *pair
	run    func(a input.Args) ([]compare.Record, bool)
	left   int // executions
	signed bool
}

// reach treats operands that may be signed numbers as such first. If the search fails, it treats them as unsigned if that makes a
// difference.
func (d *pairDescent) reach(a input.Args) bool {
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

// descend changes the fields one after the other. It reports whether the comparison has seen what it wants.
func (d *pairDescent) descend(s sample, dials []dial) bool {
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

// along changes one field until the comparison sees what it wants, or the samples on both sides are neighbours.
func (d *pairDescent) along(s sample, f *dial) (k bracket) {
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

// toward sets a field to x, or goes half of the way if that is not valid, and so on. The result is not ok if no step is valid.
func (d *pairDescent) toward(s sample, f *dial, x uint64) sample {
	for way := int64(x - s.x); way != 0 && d.left > 0; way /= 2 {
		if next := d.at(s, f, s.x+uint64(way)); next.ok {
			return next
		}
	}
	return sample{}
}

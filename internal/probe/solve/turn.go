package solve

import "github.com/gnaw-fuzz/gnaw/input"

// sample is an input, and how far the comparison is from what it wants.
type sample struct {
	args input.Args
	x    uint64  // of the field that was changed last
	diff float64 // what is wanted minus what was seen
	ok   bool
}

// nudge changes a field by the smallest step that makes a difference.
func (d *pairDescent) nudge(s sample, f *dial) (next sample) {
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

// at executes s with a field set to x. If a numeral is valid only with as many digits as it had, it is filled up with zeros
// from then on.
func (d *pairDescent) at(s sample, f *dial, x uint64) sample {
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

func (d *pairDescent) execute(s sample, f *dial, x uint64) sample {
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

// distance returns want-seen, without an overflow.
func (d *pairDescent) distance(seen, want uint64) float64 {
	if d.signed {
		return float64(int64(signExtend(want, d.p.Width))) - float64(int64(signExtend(seen, d.p.Width)))
	}
	if want >= seen {
		return float64(want - seen)
	}
	return -float64(seen - want)
}

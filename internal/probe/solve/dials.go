package solve

import "slices"

// dials returns the fields that make a difference to the comparison, the one that makes most first.
func (d *pairDescent) dials(s sample) []dial {
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
func (d *pairDescent) binaryDials(s sample, arg int) (list []dial) {
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

package solve

// bracket has the nearest samples of one field on both sides: below sees at most what is wanted, above sees more.
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

// closed reports whether there are samples on both sides.
func (k *bracket) closed() bool { return k.below.ok && k.above.ok }

// over reports whether no other sample can be nearer.
func (k *bracket) over() bool {
	return k.below.ok && k.below.diff == 0 || k.closed() && (k.below.x-k.above.x == 1 || k.above.x-k.below.x == 1)
}

func closer(a, b float64) bool { return max(a, -a) < max(b, -b) }

// between returns a position between those of two samples: where the line through them meets what is wanted, or the middle.
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

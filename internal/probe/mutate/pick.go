package mutate

// seek returns the position of a byte of the class, the first one from a random start on, and -1 if none is near.
func seek(r *Rand, b []byte, want class) int {
	start := r.Intn(len(b))
	for i, c := range b[start:min(start+seekReach, len(b))] {
		if classes[c]&want != 0 {
			return start + i
		}
	}
	for i, c := range b[:min(max(start+seekReach-len(b), 0), start)] {
		if classes[c]&want != 0 {
			return i
		}
	}
	return -1
}

// pickSpan returns a random non-empty range of b, which must not be empty, with the usual prior of lengths.
func pickSpan(r *Rand, b []byte) (lo, hi int) {
	n := r.Length(len(b))
	lo = r.Intn(len(b) - n + 1)
	return lo, lo + n
}

// pickPlace returns a position to insert at. Half of the time it moves on to where the class of characters changes.
func pickPlace(r *Rand, b []byte) int {
	at := r.Intn(len(b) + 1)
	if r.Bool() {
		return border(b, at)
	}
	return at
}

// How deep something is nested: mostly as deep as in usual inputs; 1/deepIn of the time up to maxRepeat levels, and 1/deepestIn of
// the time as deep as MaxLen allows, since some limits on recursion are 1000 or 10000 levels, and some parsers have none.
const (
	deepIn    = 4
	deepestIn = 32
)

// pickLevels returns how many levels to add, in [1, limit]; limit is positive.
func pickLevels(r *Rand, limit int) int {
	switch {
	case r.Chance(1, deepestIn):
		return 1 + r.Intn(limit)
	case r.Chance(1, deepIn):
		return 1 + r.Intn(min(limit, maxRepeat))
	}
	return 1 + r.Intn(min(limit, shortRange))
}

// border returns the first position from at on where the class of characters changes, if one is near.
func border(b []byte, at int) int {
	for end := min(at+wordReach, len(b)); at > 0 && at < end && wordClass(b[at-1]) == wordClass(b[at]); {
		at++
	}
	return at
}

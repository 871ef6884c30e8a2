package worker

import "github.com/gnaw-fuzz/gnaw/internal/probe/cover"

// intersect keeps what two ascending lists have in common. The result uses the storage of a.
func intersect(a, b []cover.Feature) []cover.Feature {
	kept := a[:0]
	for _, f := range a {
		for len(b) > 0 && b[0] < f {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == f {
			kept = append(kept, f)
		}
	}
	return kept
}

// difference returns what only one of two ascending lists has.
func difference(a, b []cover.Feature) (only []cover.Feature) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			only, a = append(only, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			only, b = append(only, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return only
}

// contains reports whether the ascending list all has each of part.
func contains(all, part []cover.Feature) bool {
	for _, f := range part {
		for len(all) > 0 && all[0] < f {
			all = all[1:]
		}
		if len(all) == 0 || all[0] != f {
			return false
		}
	}
	return true
}

// hits reports whether all counters of part are among those of all, however often they are hit. Both are in ascending order.
func hits(all, part []cover.Feature) bool {
	for _, f := range part {
		for len(all) > 0 && all[0].Counter() < f.Counter() {
			all = all[1:]
		}
		if len(all) == 0 || all[0].Counter() != f.Counter() {
			return false
		}
	}
	return true
}

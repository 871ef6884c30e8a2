// Package flakymap takes branches that depend on the order of a map, which differs from run to run.
//
// Technique: calibrate, map-order. There is nothing to open; what is measured is the corpus: entries that are kept
// because of chance never end.
//
// Measure: at most 24 entries.
package flakymap

var order = func() map[int]bool {
	m := map[int]bool{}
	for i := range 64 {
		m[i] = true
	}
	return m
}()

var last int

// Open reports whether b is solved: never.
func Open(b []byte) bool {
	prev := 0
	for i := range order {
		if (i^prev)%5 == 0 {
			last = branch((i*7 + prev) % 11)
		}
		prev = i
	}
	if len(b) > 2 && b[0] == 'm' && b[1] == 'a' {
		last = branch(int(b[2]) % 3)
	}
	return false
}

func branch(n int) int {
	switch n {
	case 0:
		return 12
	case 1:
		return 31
	case 2:
		return 46
	case 5:
		return 54
	case 7:
		return 88
	}
	return 99
}

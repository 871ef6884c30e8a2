// Package flakymap takes branches that depend on the order of a map, which differs from run to run.
//
// Technique: calibrate, map-order. There is nothing to open; what is measured is the corpus: entries that are kept
// because of chance never end.
//
// Measure: at most 16 entries.
package flakymap

var names = func() map[int]bool {
	m := map[int]bool{}
	for i := range 64 {
		m[i] = true
	}
	return m
}()

// Open reports whether b is solved: never.
func Open(b []byte) bool {
	prev, sum := 0, 0
	for i := range names {
		if prev == 0 {
			sum += first(i)
		}
		prev = i
	}
	if len(b) > 2 && b[0] == 'm' && b[1] == 'a' {
		sum += first(int(b[2]) & 7)
	}
	return sum < 0
}

// first has a case for every other number.
func first(i int) int {
	switch i {
	case 0:
		return 0
	case 2:
		return 1
	case 4:
		return 4
	case 6:
		return 9
	case 8:
		return 16
	case 10:
		return 25
	case 12:
		return 36
	case 14:
		return 49
	case 16:
		return 64
	case 18:
		return 81
	case 20:
		return 100
	case 22:
		return 121
	case 24:
		return 144
	case 26:
		return 169
	case 28:
		return 196
	case 30:
		return 225
	case 32:
		return 256
	case 34:
		return 289
	case 36:
		return 324
	case 38:
		return 361
	case 40:
		return 400
	case 42:
		return 441
	case 44:
		return 484
	case 46:
		return 529
	case 48:
		return 576
	case 50:
		return 625
	case 52:
		return 676
	case 54:
		return 729
	case 56:
		return 784
	case 58:
		return 841
	case 60:
		return 900
	case 62:
		return 961
	}
	return 2
}

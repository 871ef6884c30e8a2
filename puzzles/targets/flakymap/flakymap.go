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

var last int

// Open reports whether b is solved: never.
func Open(b []byte) bool {
	prev, ascending := 0, 0
	for i := range names {
		if prev == 0 {
			first(i)
		}
		if i > prev {
			ascending++
		}
		prev = i
	}
	if len(b) > 2 && b[0] == 'm' && b[1] == 'a' {
		first(int(b[2]) & 7)
	}
	return ascending < 0
}

// first has a case for every other number.
func first(i int) {
	switch i {
	case 0:
		last = 0
	case 2:
		last = 1
	case 4:
		last = 4
	case 6:
		last = 9
	case 8:
		last = 16
	case 10:
		last = 25
	case 12:
		last = 36
	case 14:
		last = 49
	case 16:
		last = 64
	case 18:
		last = 81
	case 20:
		last = 100
	case 22:
		last = 121
	case 24:
		last = 144
	case 26:
		last = 169
	case 28:
		last = 196
	case 30:
		last = 225
	case 32:
		last = 256
	case 34:
		last = 289
	case 36:
		last = 324
	case 38:
		last = 361
	case 40:
		last = 400
	case 42:
		last = 441
	case 44:
		last = 484
	case 46:
		last = 529
	case 48:
		last = 576
	case 50:
		last = 625
	case 52:
		last = 676
	case 54:
		last = 729
	case 56:
		last = 784
	case 58:
		last = 841
	case 60:
		last = 900
	case 62:
		last = 961
	}
}

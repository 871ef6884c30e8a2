// Package bigseed reads the last eight bytes of its input; its seed has 4 KB in front of them.
//
// Technique: trim, reduce. There is nothing to open; what is measured is the size of what is kept: bytes that add
// nothing slow down everything that is done with an entry.
//
// Measure: at most 64 bytes per entry.
package bigseed

// Open reports whether b is solved: never.
func Open(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	last := b[len(b)-8:]
	for i, c := range last {
		kinds[i] = kind(c, i)
	}
	return false
}

var kinds [8]int

// kind has a case for each place.
func kind(c byte, i int) int {
	if c >= 0x80 {
		return 1
	}
	switch i {
	case 0:
		return at(c, 'a')
	case 2:
		return at(c, 'b')
	case 4:
		return at(c, 'c')
	case 6:
		return at(c, 'd')
	}
	return 0
}

func at(c, want byte) int {
	switch {
	case c == want:
		return 2
	case c > want+5 && c < want+9:
		return 3
	case c == 0:
		return 4
	}
	return 5
}

package work

import "github.com/gnaw-fuzz/gnaw/input"

const (
	// maxAligned: longer parts of which both ends differ are not compared any further. The comparison takes the product of both
	// lengths, a third of a millisecond at most.
	maxAligned = 512
	// minCommon is the shortest part in the midst of two different ones that counts as the same: shorter ones are chance.
	minCommon = 3
)

// inherited returns, for each argument, what of a buffer of a is left alone by a trim that removes only what has grown: the
// bytes that the input it was made of has too, and replacements that are no longer than what they replace. The result is in
// storage of its own.
func inherited(from, a input.Args) [][]byte {
	kept := make([][]byte, len(a))
	for i := range min(len(a), len(from)) {
		if a[i].Kind.IsBuffer() {
			kept[i] = appendInherited(nil, from[i].Data, a[i].Data)
		}
	}
	return kept
}

func appendInherited(kept, from, data []byte) []byte {
	head := commonPrefix(from, data)
	kept = append(kept, data[:head]...)
	from, data = from[head:], data[head:]
	tail := commonSuffix(from, data)
	end := data[len(data)-tail:]
	from, data = from[:len(from)-tail], data[:len(data)-tail]
	switch {
	case len(data) <= len(from):
		kept = append(kept, data...)
	case len(from) >= minCommon && len(data) <= maxAligned: // from is the shorter one
		if n, x, y := longestCommon(from, data); n >= minCommon {
			kept = appendInherited(kept, from[:x], data[:y])
			kept = append(kept, data[y:y+n]...)
			kept = appendInherited(kept, from[x+n:], data[y+n:])
		}
	}
	return append(kept, end...)
}

func commonPrefix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// longestCommon returns the first of the longest parts that a and b have in common: n bytes, at x in a and at y in b.
func longestCommon(a, b []byte) (n, x, y int) {
	var row [maxAligned + 1]int // of what ends at the byte of a at hand, and before each byte of b
	for i := range a {
		before := 0
		for j := range b {
			length := 0
			if a[i] == b[j] {
				length = before + 1
			}
			before, row[j+1] = row[j+1], length
			if length > n {
				n, x, y = length, i+1-length, j+1-length
			}
		}
	}
	return n, x, y
}

// hasMore reports whether a buffer of a has more than what was kept of it.
func hasMore(a input.Args, kept [][]byte) bool {
	for i := range a {
		if len(a[i].Data) > len(kept[i]) {
			return true
		}
	}
	return false
}

// holds reports whether each buffer of a still has the bytes that were kept of it, in their order.
func holds(a input.Args, kept [][]byte) bool {
	for i := range kept {
		rest := kept[i]
		for _, b := range a[i].Data {
			if len(rest) > 0 && rest[0] == b {
				rest = rest[1:]
			}
		}
		if len(rest) > 0 {
			return false
		}
	}
	return true
}

//go:build !amd64

package cover

import (
	"math/bits"
	"unsafe"
)

// quietLines looks at the lines whose bits are set in hot, of which there are words words. A line in which each counter
// is zero or equal to the same byte of seen is cleared; the numbers of the others are written to loud, which has room
// for all, and their count is returned.
//
//go:norace
func quietLines(counters, seen, hot *uint64, words int, loud *int32) (n int) {
	out := unsafe.Slice(loud, words*64)
	for i, set := range unsafe.Slice(hot, words) {
		for ; set != 0; set &= set - 1 {
			number := i*64 + bits.TrailingZeros64(set)
			line := (*[lineWords]uint64)(unsafe.Add(unsafe.Pointer(counters), number*lineSize))
			known := (*[lineWords]uint64)(unsafe.Add(unsafe.Pointer(seen), number*lineSize))
			if quietLine(line, known) {
				*line = [lineWords]uint64{}
				continue
			}
			out[n] = int32(number)
			n++
		}
	}
	return n
}

//go:norace
func quietLine(line, seen *[lineWords]uint64) bool {
	for i, w := range line {
		if w != 0 && w != seen[i] && !quiet(w, seen[i]) {
			return false
		}
	}
	return true
}

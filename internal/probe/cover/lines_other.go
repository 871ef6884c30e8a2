//go:build !amd64

package cover

import (
	"math/bits"
	"unsafe"
)

// quietLines looks at the lines whose bits are set in hot, of which there are words words. A line in which each counter
// is zero or between the same bytes of low and high is cleared; the numbers of the others are written to loud, which has
// room for all, and their count is returned.
//
//go:norace
func quietLines(counters, low, high, hot *uint64, words int, loud *int32) (n int) {
	out := unsafe.Slice(loud, words*64)
	for i, set := range unsafe.Slice(hot, words) {
		for ; set != 0; set &= set - 1 {
			number := i*64 + bits.TrailingZeros64(set)
			line := lineAt(counters, number)
			if quietLine(line, lineAt(low, number), lineAt(high, number)) {
				*line = [lineWords]uint64{}
				continue
			}
			out[n] = int32(number)
			n++
		}
	}
	return n
}

func lineAt(p *uint64, number int) *[lineWords]uint64 {
	return (*[lineWords]uint64)(unsafe.Add(unsafe.Pointer(p), number*lineSize))
}

//go:norace
func quietLine(line, low, high *[lineWords]uint64) bool {
	for i, w := range line {
		if w != 0 && !quiet(w, low[i], high[i]) {
			return false
		}
	}
	return true
}

// zeroLines returns how many of the first lines, of which there are n, have counters that are all zero.
//
//go:norace
func zeroLines(counters *uint64, n int) int {
	for i := range n {
		l := lineAt(counters, i)
		if l[0]|l[1]|l[2]|l[3]|l[4]|l[5]|l[6]|l[7] != 0 {
			return i
		}
	}
	return n
}

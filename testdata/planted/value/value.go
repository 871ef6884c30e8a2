// Package value computes.
package value

import (
	"strconv"
	"strings"
)

// Compute has a bug for a value here and there.
func Compute(a, b int32) int32 {
	if a == 4711 {
		return a / (b - 7) // bug 14
	}
	if b > 1<<20 {
		panic("too large") // bug 15
	}
	if b == -5 {
		return int32(len(make([]int, b))) // bug 16
	}
	table := []int32{1, 2, 3, 4, 5, 6, 7}
	return table[a%7] // bug 13
}

// Float fails for a value that is not a number.
func Float(x float64) {
	if x != x {
		panic("not a number") // bug 17
	}
}

// Reserve makes room for as many values as the text says, such as "len=3". It believes any number up to half a gigabyte, so that
// it allocates out of proportion or needs more than the memory limit.
func Reserve(s string) int {
	digits, ok := strings.CutPrefix(s, "len=")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n > 64<<20 {
		return 0
	}
	list := make([]uint64, n+1) // bug 49
	if n > 6<<20 {
		list[n/2] = 1 // far below the memory limit
	}
	return len(list)
}

// Head and Tail are two ways to the same bug.
func Head(s string) byte { return pick(s) }

// Tail is the other one.
func Tail(s string) byte { return pick(s) }

func pick(s string) byte { return s[2] } // bug 51

// Package value computes.
package value

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

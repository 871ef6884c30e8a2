// Package floatspecial opens for a negative zero, the largest number and the smallest one, as arguments.
//
// Technique: floats. Comparisons of floating-point numbers are not instrumented, so these have to be known. Blind
// mutation has to hit 64 bits.
package floatspecial

import (
	"math"
)

// Open reports whether the arguments are solved.
func Open(a, b, c float64) bool {
	if a != 0 || !math.Signbit(a) {
		return false
	}
	return b == math.MaxFloat64 && c == math.SmallestNonzeroFloat64
}

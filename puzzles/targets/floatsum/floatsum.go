// Package floatsum opens for the greatest number that is less than three quarters.
//
// Technique: floats. The comparison is not instrumented, and the number stands in no file: it is next to one that does.
// All of its 52 bits differ from those of that one, so blind mutation has to hit them.
package floatsum

import "math"

const limit = 0.75

// Open reports whether f is solved.
func Open(f float64) bool {
	return f < limit && f >= math.Nextafter(limit, 0)
}

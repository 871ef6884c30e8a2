// Package floatsum opens for the sum of 0.7 and 0.1, which is a little less than 0.8.
//
// Technique: floats. The comparison is not instrumented, and the number stands in no file: it is next to one that does.
// Blind mutation has to hit 52 bits.
package floatsum

var most, rest = 0.7, 0.1

// Open reports whether f is solved.
func Open(f float64) bool {
	return f < 0.8 && f >= most+rest
}

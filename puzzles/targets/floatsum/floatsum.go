// Package floatsum opens for the number that is famous for not being 0.3.
//
// Technique: floats. The comparison is not instrumented, and the number stands in no file: it is the sum of two that
// do.
package floatsum

var tenth, fifth = 0.1, 0.2

// Open reports whether f is solved.
func Open(f float64) bool {
	return f > 0.3 && f <= tenth+fifth
}

// Package floatconst opens for one number with nine digits.
//
// Technique: dictionary, floats. The comparison is not instrumented, but the number is a literal of this file. Blind
// mutation has to hit 52 bits.
package floatconst

// Open reports whether f is solved.
func Open(f float64) bool {
	const speed = 299792.458
	return f == speed
}

// Package len1000 opens for an input of 1000 bytes, and no other length.
//
// Technique: lengths. What is compared is a length, so no byte of the input can be replaced. Blind mutation grows the
// input by steps that nothing rewards.
package len1000

// Open reports whether b is solved.
func Open(b []byte) bool {
	return len(b) == 1000
}

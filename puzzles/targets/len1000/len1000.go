// Package len1000 opens for 1000 bytes and a text of 1500, and no other lengths.
//
// Technique: lengths. What is compared is a length, so no byte of the input can be replaced. Blind mutation grows the
// input by steps that nothing rewards.
package len1000

// Open reports whether the arguments are solved.
func Open(b []byte, s string) bool {
	return len(b) == 1000 && len(s) == 1500
}

// Package atoi opens when 3n+7 has the right value, for a number n in decimal.
//
// Technique: affine, value-profile. What is compared never stands in the input, so replacing it changes nothing; two
// different n show the line, and the line gives n. Blind mutation has to hit nine digits at once.
package atoi

import (
	"strconv"
)

// Open reports whether s is solved.
func Open(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n*3+7 == 2754820942
}

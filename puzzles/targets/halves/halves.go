// Package halves opens when the left half of one seed and the right half of another meet.
//
// Technique: splice. Each half is checked by a hash, which nothing can be read from; but both halves exist. Blind
// mutation has to hit eight bytes at once.
package halves

import (
	"crypto/sha256"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) != 16 {
		return false
	}
	left, right := sum(b[:8]) == leftSum, sum(b[8:]) == rightSum
	return left && right
}

var leftSum, rightSum = sum([]byte("northern")), sum([]byte("southern"))

// sum is two steps of a hash for each byte; comparing two sums as strings shows no number.
func sum(b []byte) [32]byte { return sha256.Sum256(b) }

// Package halves opens for the left half of one seed, followed by the right half of another seed.
//
// Technique: splice. The target checks each half by a hash, which does not reveal it, and no source file contains it; but the
// seeds contain both. Blind mutation has to hit eight bytes at once.
package halves

import (
	"crypto/sha256"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) != 16 {
		return false
	}
	isLeft, isRight := sum(b[:8]) == leftSum, sum(b[8:]) == rightSum
	return isLeft && isRight
}

var (
	left, right       = derived.Word("left", 8), derived.Word("right", 8)
	leftSum, rightSum = sum([]byte(left)), sum([]byte(right))
)

// sum is two steps of a hash for each byte; comparing two sums as strings shows no number.
func sum(b []byte) [32]byte { return sha256.Sum256(b) }

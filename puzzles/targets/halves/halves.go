// Package halves opens when the left half of one seed and the right half of another meet.
//
// Technique: splice. Each half is checked by a hash, which nothing can be read from, and stands in no source file; but
// both halves exist. Blind mutation has to hit eight bytes at once.
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

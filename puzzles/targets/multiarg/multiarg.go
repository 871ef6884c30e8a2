// Package multiarg opens when two numbers are functions of a text: one depends on its length, the other on the sum of
// its bytes.
//
// Technique: solve. Both are compared without an encoding; the third argument must not change. Blind mutation has
// to hit two numbers of 32 bits, of which no factor is in a source file.
package multiarg

import "github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"

var (
	perByte = int64(derived.Uint64("length") >> 40)
	perSum  = int32(derived.Uint64("sum") >> 40)
)

// Open reports whether the arguments are solved.
func Open(a int64, b int32, s string) bool {
	if len(s) < 5 || a != int64(len(s))*perByte {
		return false
	}
	sum := int32(0)
	for _, c := range []byte(s) {
		sum += int32(c)
	}
	return b == sum*perSum
}

// Package order opens for a key between two others that are next to each other.
//
// Technique: substrings. bytes.Compare works in assembly, which is not instrumented. Blind mutation has to hit nine
// bytes at once, since only the order of the keys shows.
package order

import (
	"bytes"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var (
	low  = []byte(derived.Word("low", 9))
	high = append([]byte(derived.Word("low", 9)), 0xff)
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	return len(b) >= 9 && bytes.Compare(b, low) > 0 && bytes.Compare(b, high) < 0
}

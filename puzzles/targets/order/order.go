// Package order opens for a key that sorts between two neighboring keys.
//
// Technique: substrings. bytes.Compare is assembly, which is not instrumented. Blind mutation has to hit nine bytes at
// once, because the target reveals only the order of the keys.
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

// Package loop5 opens in the fifth turn of a loop within a loop.
//
// Technique: buckets. Each turn needs another byte, and all turns run the same code: without counting how often, none
// looks new. Blind mutation has to hit five bytes at once.
package loop5

import (
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var key = derived.Word("loop", 16)

// Open reports whether b is solved.
func Open(b []byte) bool {
	for len(b) > 0 {
		n := min(len(b), 8)
		if turns(b[:n]) >= 5 {
			return true
		}
		b = b[n:]
	}
	return false
}

// turns counts bytes that follow the key.
func turns(b []byte) int {
	n := 0
	for n < len(b) && (b[n]^key[n])*93 == byte(n*29) {
		n++
	}
	return n
}

// Package loop5 opens in the fifth turn of a loop.
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
	turns := 0
	for turns < min(len(b), len(key)) && scrambled(b[turns]^key[turns]) == byte(turns*29) {
		turns++
	}
	return turns >= 5
}

// scrambled takes a byte through a loop of its own.
func scrambled(c byte) byte {
	for range 3 {
		c = (c ^ c>>3) * 93
	}
	return c
}

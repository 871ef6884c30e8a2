// Package zigzag opens for one negative number in zigzag encoding.
//
// Technique: encodings. The sign is in the lowest bit of what is written. Blind mutation has to hit all of it at once.
package zigzag

import (
	"encoding/binary"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = -int64(derived.Uint64("zigzag") >> 10)

// Open reports whether b is solved.
func Open(b []byte) bool {
	n, size := binary.Varint(b)
	return size > 0 && n == want
}

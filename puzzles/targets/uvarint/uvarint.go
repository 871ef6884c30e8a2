// Package uvarint opens for one number in the encoding of encoding/binary.
//
// Technique: encodings. The number is compared after decoding; its bytes never stand in the input as they do in memory.
// Blind mutation has to hit all of it at once.
package uvarint

import (
	"encoding/binary"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Uint64("uvarint") >> 8

// Open reports whether b is solved.
func Open(b []byte) bool {
	n, size := binary.Uvarint(b)
	return size > 0 && n == want
}

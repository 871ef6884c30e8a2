// Package square opens for a number with one square.
//
// Technique: value-profile. The square is no linear function of the number, so nothing can be fitted; a square that is
// closer is progress. Blind mutation has to hit 32 bits.
package square

import (
	"encoding/binary"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = square(uint32(derived.Uint64("square")) | 1<<31)

// Open reports whether b is solved.
func Open(b []byte) bool {
	return len(b) == 4 && square(binary.BigEndian.Uint32(b)) == want
}

func square(n uint32) uint64 { return uint64(n) * uint64(n) }

// Package magic12 opens behind a big-endian 64-bit magic and, inside it, a little-endian 32-bit one.
//
// Technique: solve, dictionary, tokens. Both numbers are compared as they stand in the input, and both are literals.
// Blind mutation has to hit eight bytes at once.
package magic12

import (
	"encoding/binary"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) < 12 || binary.BigEndian.Uint64(b) != 0xd1ce5afe0ddba115 {
		return false
	}
	return binary.LittleEndian.Uint32(b[8:]) == 0x7e57ab1e
}

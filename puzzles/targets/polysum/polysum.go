// Package polysum opens when the polynomial checksum of a body stands behind it.
//
// Technique: solve, checksums. The program computes the right checksum and compares it with the field. Blind mutation
// has to hit four bytes that depend on all others.
package polysum

import (
	"encoding/binary"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) < 12 {
		return false
	}
	body, field := b[:len(b)-4], b[len(b)-4:]
	sum := uint32(17)
	for _, c := range body {
		sum = sum*16777619 + uint32(c)
	}
	return sum == binary.BigEndian.Uint32(field)
}

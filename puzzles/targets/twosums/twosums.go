// Package twosums opens for a file with two blocks, in which each block and the file have the right checksum.
//
// Technique: checksums. The outer checksum covers the inner ones, so gnaw has to correct them from the inside to the
// outside.
package twosums

import (
	"encoding/binary"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) != 28 || !right(b) {
		return false
	}
	inner := b[:24]
	return right(inner[:12]) && right(inner[12:]) && string(inner[:8]) != string(inner[12:20])
}

// right reports whether the last four bytes are the sum of the others.
func right(b []byte) bool {
	body, field := b[:len(b)-4], b[len(b)-4:]
	sum := uint32(2166136261)
	for _, c := range body {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return sum == binary.LittleEndian.Uint32(field)
}

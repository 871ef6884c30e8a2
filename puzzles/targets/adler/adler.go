// Package adler opens for a packet whose number is right, behind its Adler-32.
//
// Technique: checksums. The number is looked at only when the sum in the last four bytes is right, and changes that
// sum.
package adler

import (
	"encoding/binary"
	"hash/adler32"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Uint64("packet")

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) < 16 {
		return false
	}
	body, field := b[:len(b)-4], b[len(b)-4:]
	if adler32.Checksum(body) != binary.BigEndian.Uint32(field) {
		return false
	}
	return binary.LittleEndian.Uint64(body[4:]) == want
}

// Package adler opens for a packet with the right number and the right Adler-32 checksum.
//
// Technique: checksums. The target reads the number only if the checksum in the last four bytes is right, and the number
// changes the checksum.
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

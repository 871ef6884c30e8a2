// Package decoys opens for one number in a file of 8 KB of zeros.
//
// Technique: colorize. The number to replace is zero, as nearly every byte of the input is; which of them are read
// shows when the others are changed. Blind mutation has to hit six bytes.
package decoys

import (
	"encoding/binary"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var (
	want   = derived.Uint64("decoys") >> 16
	offset = 4096 + int(derived.Uint64("offset")%4000)
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) != 8192 {
		return false
	}
	field := b[offset : offset+8]
	return binary.BigEndian.Uint64(field) == want
}

// Package framed opens for a frame with two strings in it, each behind its length.
//
// Technique: length-fields. A word of another length changes the length of its string and that of the frame around it, and
// nothing is compared while one of them is wrong. The first word is looked at only if its length is right.
package framed

import (
	"encoding/binary"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var kind, name = derived.Word("kind", 11), derived.Word("name", 9)

// Open reports whether b is solved.
func Open(b []byte) bool {
	frame, rest, ok := take(b)
	if !ok || len(rest) > 0 || len(frame) == 0 || frame[0] != 0x19 {
		return false
	}
	first, rest, ok := take(frame[1:])
	if !ok || len(first) != len(kind) || string(first) != kind {
		return false
	}
	second, rest, ok := take(rest)
	return ok && len(rest) == 0 && string(second) == name
}

// take cuts off a string behind its length, four bytes.
func take(b []byte) (s, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint32(b)
	if b = b[4:]; uint64(n) > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

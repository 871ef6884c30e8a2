// Package utf16text opens for one word in UTF-16 with a byte order mark.
//
// Technique: encodings. The word is compared as UTF-8. Blind mutation has to hit all of it at once.
package utf16text

import (
	"encoding/binary"
	"unicode/utf16"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Word("utf16", 8)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) < 2 || len(b)%2 != 0 || b[0] != 0xff || b[1] != 0xfe {
		return false
	}
	var units []uint16
	for i := 2; i < len(b); i += 2 {
		units = append(units, binary.LittleEndian.Uint16(b[i:]))
	}
	return string(utf16.Decode(units)) == want
}

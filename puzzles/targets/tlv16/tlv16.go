// Package tlv16 opens for values that are nested four deep behind 16-bit lengths, each of which must be right.
//
// Technique: length-fields. Whatever is inserted has to be added to every length around it. Blind mutation breaks one
// of them, and no comparison shows which: as in decoders that recover, a length that is too large is found by the index
// that is out of range.
package tlv16

import (
	"encoding/binary"
)

// Open reports whether b is solved.
func Open(b []byte) (open bool) {
	defer func() {
		if recover() != nil {
			open = false
		}
	}()
	levels := 0
	for range depth(b) { // how deep a whole value is shows in how often this runs
		levels++
	}
	return levels >= 4
}

// depth counts containers within each other (tag 'C'). It panics if a length is wrong.
func depth(b []byte) (deepest int) {
	for len(b) > 0 {
		n := 3 + int(binary.BigEndian.Uint16(b[1:]))
		value := b[3:n]
		if _ = value[0]; b[0] == 'C' { // nothing is empty
			deepest = max(deepest, 1+depth(value))
		}
		b = b[n:]
	}
	return deepest
}

// Package tlv16 opens for values that are nested four deep behind 16-bit lengths, each of which must be right.
//
// Technique: length-fields. Whatever is inserted has to be added to every length around it. Blind mutation breaks one
// of them.
package tlv16

import (
	"encoding/binary"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	return depth(b) >= 4
}

// depth counts containers within each other (tag 'C'); -1 means that a length is wrong.
func depth(b []byte) int {
	deepest := 0
	for len(b) > 0 {
		if len(b) < 3 {
			return -1
		}
		n := int(binary.BigEndian.Uint16(b[1:]))
		if n == 0 || n > len(b)-3 {
			return -1
		}
		if b[0] == 'C' {
			inner := depth(b[3 : 3+n])
			if inner < 0 {
				return -1
			}
			deepest = max(deepest, inner+1)
		}
		b = b[3+n:]
	}
	return deepest
}

// Package header opens behind a prefix of 16 bytes and one word of a switch.
//
// Technique: solve, dictionary, tokens. Each string is compared where it stands, and each is a literal. Blind mutation
// has to hit 16 bytes at once.
package header

import (
	"bytes"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) < 24 || !bytes.HasPrefix(b, []byte("GNAW/ARCHIVE-1.0")) {
		return false
	}
	switch string(b[16:24]) {
	case "commit..", "rebase..":
		return false
	case "squash..":
		return true
	}
	return false
}

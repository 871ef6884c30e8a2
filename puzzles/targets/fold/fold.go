// Package fold opens for a name that is reserved but for case, and is not found by strings.ToLower: "ſ" folds to "s",
// but is a lower-case letter itself.
//
// Technique: runes. Input-to-state replacement finds the name; which of its letters have relatives outside ASCII is
// something to know. Blind mutation has to write the two bytes of one of them in place of one letter.
package fold

import (
	"strings"
)

// Open reports whether s is solved.
func Open(s string) bool {
	const reserved = "sessions"
	return strings.EqualFold(s, reserved) && strings.ToLower(s) != reserved
}

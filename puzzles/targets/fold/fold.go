// Package fold opens for a name that is reserved but for case, with a relative outside ASCII for each letter that has one:
// "ſ" folds to "s" and "\u212a", the sign of Kelvin, to "k".
//
// Technique: runes. Input-to-state replacement finds the name; which of its letters have relatives outside ASCII is
// something to know. Blind mutation has to write the two or three bytes of one of them in place of one letter, four
// times.
package fold

import (
	"strings"
	"unicode/utf8"
)

// Open reports whether s is solved.
func Open(s string) bool {
	if !strings.EqualFold(s, "kisses") {
		return false
	}
	wide := 0
	for _, r := range s {
		if r >= utf8.RuneSelf {
			wide++
		}
	}
	return wide == 4
}

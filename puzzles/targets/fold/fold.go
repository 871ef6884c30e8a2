// Package fold opens for a name that is reserved but for case, with a capital outside ASCII for each letter that has one: the
// lower case of "\u212a", the sign of Kelvin, is "k", that of "\u0130" is "i".
//
// Technique: runes. Input-to-state replacement finds the name; which of its letters have relatives outside ASCII is
// something to know. Blind mutation has to write three bytes in place of one letter, twice, and two in place of another.
package fold

import (
	"strings"
	"unicode/utf8"
)

// Open reports whether s is solved.
func Open(s string) bool {
	if strings.ToLower(s) != "kick" {
		return false
	}
	wide := 0
	for _, r := range s {
		if r >= utf8.RuneSelf {
			wide++
		}
	}
	return wide == 3
}

// Package fold opens for a reserved name in which each k and each i is a letter outside ASCII whose lower case is that
// letter: "\u212a", the Kelvin sign, and "\u0130".
//
// Technique: runes. Input-to-state replacement finds the name; the technique knows which of its letters have such
// equivalents. Blind mutation has to write three bytes in place of one letter, twice, and two in place of another.
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

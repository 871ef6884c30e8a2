// Package pattern opens for a line that matches a regular expression with two words in it.
//
// Technique: dictionary. Package regexp compares the second word rune by rune in one and the same instruction of its
// machine, so no progress shows. The words are literals of this file, in an expression. Blind mutation has to hit nine
// letters at once.
package pattern

import (
	"regexp"
	"strings"
)

var line = regexp.MustCompile(`session-[0-9]+ (?:closed|terminate[ds])`)

// Open reports whether s is solved.
func Open(s string) bool {
	return line.MatchString(s) && !strings.Contains(s, "closed")
}

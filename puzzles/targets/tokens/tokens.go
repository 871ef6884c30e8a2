// Package tokens opens for a pair of words of which the second was compared with other values before.
//
// Technique: tokens, splice. The first word is compared with three words; the second one has to be one of those, and is
// compared as an interface value, which is not instrumented. Other entries contain these words, as the first word. Blind mutation
// has to hit nine letters at once.
package tokens

import (
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var verbs = [...]string{derived.Word("verb0", 9), derived.Word("verb1", 9), derived.Word("verb2", 9)}

// Open reports whether s is solved.
func Open(s string) bool {
	first, second, ok := strings.Cut(s, " ")
	if !ok || index(first) != 0 {
		return false
	}
	return any(second) == any(verbs[2])
}

func index(word string) int {
	for i, v := range verbs {
		if word == v {
			return i
		}
	}
	return -1
}

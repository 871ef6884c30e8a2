// Package contains opens for a text with a needle somewhere in it.
//
// Technique: substrings. strings.Contains compares in assembly, which is not instrumented, and the needle stands in no
// file. Blind mutation has to hit eleven letters at once.
package contains

import (
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var needle = derived.Word("needle", 11)

// Open reports whether s is solved.
func Open(s string) bool {
	return strings.Contains(s, needle)
}

// Package cut opens for a text with two separators in order, and a word between them.
//
// Technique: substrings. strings.Cut shows what it looks for to nobody.
package cut

import (
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var begin, end = derived.Word("begin", 7), derived.Word("end", 8)

// Open reports whether s is solved.
func Open(s string) bool {
	_, rest, ok := strings.Cut(s, begin)
	if !ok {
		return false
	}
	word, _, ok := strings.Cut(rest, end)
	return ok && len(word) > 3
}

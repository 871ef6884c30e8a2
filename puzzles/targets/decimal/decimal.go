// Package decimal opens for one number of 14 digits behind a word.
//
// Technique: encodings, value-profile. The number is compared after strconv has read it; a number that is changed step by
// step gets there too, later. Blind mutation has to hit all of it at once.
package decimal

import (
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Uint64("decimal") % 1e14

// Open reports whether s is solved.
func Open(s string) bool {
	text, ok := strings.CutPrefix(s, "id=")
	if !ok {
		return false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return err == nil && n == want
}

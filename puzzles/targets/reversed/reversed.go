// Package reversed opens for one word that is compared from its end to its beginning, as domain names in a tree are.
//
// Technique: encodings. The word is compared the other way round. Blind mutation has to hit all of it at once.
package reversed

import (
	"bytes"
	"slices"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Word("reversed", 10)

// Open reports whether b is solved.
func Open(b []byte) bool {
	r := bytes.Clone(b)
	slices.Reverse(r)
	return string(r) == want
}

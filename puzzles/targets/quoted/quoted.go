// Package quoted opens for a quoted string that holds a quoted string, as in a command line in a JSON value.
//
// Technique: encodings. What is compared has a quote and a backslash in it, and the input needs them escaped twice.
// Blind mutation has to hit all of it at once.
package quoted

import (
	"strconv"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Word("quoted", 4) + "\"\\" + derived.Word("rest", 4)

// Open reports whether s is solved.
func Open(s string) bool {
	once, err := strconv.Unquote(s)
	if err != nil {
		return false
	}
	twice, err := strconv.Unquote(once)
	return err == nil && twice == want
}

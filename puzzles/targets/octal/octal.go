// Package octal opens for one size in a header of a tar-like archive: eleven octal digits and a zero byte.
//
// Technique: encodings, value-profile. The size is compared after reading; a number that is changed step by step gets there
// too, later. Blind mutation has to hit all of it at once.
package octal

import (
	"strconv"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Uint64("octal") >> 32

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) < 12 || b[11] != 0 {
		return false
	}
	n, err := strconv.ParseUint(string(b[:11]), 8, 64)
	return err == nil && n == want
}

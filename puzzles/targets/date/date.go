// Package date opens for one instant in the text of RFC 3339.
//
// Technique: encodings, value-profile. What is compared are the year and the nanoseconds, after package time has read them. Blind
// mutation has to hit all of it at once; digits that are turned one by one come closer.
package date

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var nanosecond = int(derived.Uint64("nanosecond") % 1e9)

// Open reports whether s is solved.
func Open(s string) bool {
	t, err := time.Parse(time.RFC3339Nano, s)
	return err == nil && t.Year() == 2038 && t.Nanosecond() == nanosecond
}

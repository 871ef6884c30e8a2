// Package day opens for one day since 1970, written as year, month and day.
//
// Technique: value-profile. The number of the day is no linear function of any field, but each field moves it: getting
// closer is all there is to follow. Blind mutation has to hit eight digits.
package day

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = int64(derived.Uint64("day") % 2_500_000)

// Open reports whether s is solved.
func Open(s string) bool {
	t, err := time.Parse(time.DateOnly, s)
	return err == nil && t.Unix()/86400 == want
}

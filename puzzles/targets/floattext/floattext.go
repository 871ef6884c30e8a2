// Package floattext opens for one floating-point number in text, compared by its bits.
//
// Technique: encodings. The bits never stand in the input, only the shortest text of the number does. Blind mutation
// has to hit all of it at once.
package floattext

import (
	"math"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = math.Float64bits(float64(derived.Uint64("float")>>12) / 1e9)

// Open reports whether s is solved.
func Open(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && math.Float64bits(f) == want
}

// Package behindloop opens for one number, behind a loop that compares each byte of a text three times.
//
// Technique: solve. The loop makes more comparisons than a log of them has room for, and the number is compared last.
package behindloop

import (
	"encoding/binary"
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

// Text has 1.8 KB.
var Text = strings.Repeat("each byte of this line is looked at\n", 50)

var want = derived.Uint64("number")

// Open reports whether b is solved.
func Open(b []byte) bool {
	lines, words, other := 0, 0, 0
	for _, c := range b {
		if c == '\n' {
			lines++
		} else if c == ' ' {
			words++
		} else if c >= 0x80 {
			other++
		}
	}
	return lines+words > other && len(b) >= 8 && binary.LittleEndian.Uint64(b) == want
}

// Package typedints opens for a number of 32 bits, one case of a switch on 16 bits, and a number of 64 bits.
//
// Technique: solve. Each is compared in its own width, as an argument and not as bytes. The last one stands in no file.
package typedints

import (
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Uint64("typed")

// Open reports whether the arguments are solved.
func Open(a int32, b uint16, c uint64) bool {
	if a != -559038737 {
		return false
	}
	switch b {
	case 0x1f90, 0x8080:
		return false
	case 0xc0de:
		return c == want
	}
	return false
}

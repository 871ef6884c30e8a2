// Package scrambled opens for one number, which is looked up by the hash that hash tables use: the number times a large odd
// constant.
//
// Technique: affine. The product wraps around, so a hash that is closer to the right one says nothing about the number; three
// executions determine the constants of the hash.
package scrambled

import (
	"encoding/binary"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var (
	factor = uint32(derived.Uint64("factor")) | 1
	offset = uint32(derived.Uint64("offset"))
	want   = factor*uint32(derived.Uint64("number")) + offset
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	return len(b) == 6 && b[0] == '#' && factor*binary.LittleEndian.Uint32(b[2:])+offset == want
}

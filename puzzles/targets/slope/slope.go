// Package slope opens when a field of a record, counted in units of 36 bytes behind a base, points at the right
// address.
//
// Technique: affine, value-profile. The address is a linear function of a big-endian 32-bit field and never stands in the
// input.
package slope

import (
	"encoding/binary"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

// record is the size of what an index counts.
const record = 36

var (
	base = derived.Uint64("base") >> 20
	want = base + record*uint64(uint32(derived.Uint64("index")))
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) != 8 || b[0] != 'I' {
		return false
	}
	return base+record*uint64(binary.BigEndian.Uint32(b[4:])) == want
}

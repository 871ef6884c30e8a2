// Package number reaches a line only if the input contains a big-endian 64-bit constant.
package number

import (
	"encoding/binary"

	"bench.test/puzzle/solved"
)

// Target is solved by 0x123456789abcdef0 in the second eight bytes.
func Target(b []byte) {
	if len(b) >= 16 && binary.BigEndian.Uint64(b[8:]) == 0x123456789abcdef0 {
		solved.Report()
	}
}

// Package magic reaches a line only if the input contains four certain bytes and a 32-bit constant.
package magic

import (
	"encoding/binary"

	"bench.test/puzzle/solved"
)

// Target is solved by "GNAW", 0x5eed1e55.
func Target(b []byte) {
	if len(b) < 8 || b[0] != 'G' || b[1] != 'N' || b[2] != 'A' || b[3] != 'W' {
		return
	}
	if binary.LittleEndian.Uint32(b[4:]) == 0x5eed1e55 {
		solved.Report()
	}
}

// Package hexword opens for 64 bits written in hexadecimal.
//
// Technique: encodings. The number is compared after decoding. Blind mutation has to hit all of it at once.
package hexword

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Uint64("hex")

// Open reports whether s is solved.
func Open(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 8 && binary.BigEndian.Uint64(b) == want
}

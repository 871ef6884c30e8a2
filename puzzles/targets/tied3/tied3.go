// Package tied3 opens when a key, its hash as a number, and that number in hexadecimal go together.
//
// Technique: solve. Each argument is compared with what the one before gives. Blind mutation has to hit 32 bits, and
// then eight digits.
package tied3

import (
	"strconv"
)

// Open reports whether the arguments are solved.
func Open(key []byte, hash uint32, name string) bool {
	if len(key) < 4 {
		return false
	}
	h := uint32(2166136261)
	for _, c := range key {
		h = (h ^ uint32(c)) * 16777619
	}
	return hash == h && name == "0x"+strconv.FormatUint(uint64(h), 16)
}

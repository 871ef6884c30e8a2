// Package derived makes constants that stand in no source file, as generated tables, checksums and configured names do:
// a puzzle about what can be learned at run time must not be solved by reading its source.
package derived

import "math/bits"

// Uint64 returns the number for a name.
func Uint64(name string) uint64 {
	h := uint64(len(name)) + 0x9e3779b97f4a7c15
	for _, c := range []byte(name) {
		h = bits.RotateLeft64((h^uint64(c))*0xff51afd7ed558ccd, 29)
	}
	return h
}

// Word returns n lower-case letters for a name.
func Word(name string, n int) string {
	h := Uint64(name)
	word := make([]byte, n)
	for i := range word {
		h = bits.RotateLeft64(h*0xc4ceb9fe1a85ec53, 31)
		word[i] = 'a' + byte(h%26)
	}
	return string(word)
}

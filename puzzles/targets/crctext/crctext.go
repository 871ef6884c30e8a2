// Package crctext opens for a body with two words in it, behind a line with its CRC-32 in hexadecimal.
//
// Technique: checksums. Nothing is read behind a checksum that is wrong, so each word that is put into the body needs
// another one at once. Blind mutation has to hit both.
package crctext

import (
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var first, second = derived.Word("first", 6), derived.Word("second", 6)

// Open reports whether s is solved.
func Open(s string) bool {
	line, body, ok := strings.Cut(s, "\n")
	if !ok {
		return false
	}
	text, ok := strings.CutPrefix(line, "crc32: ")
	if !ok {
		return false
	}
	sum, err := strconv.ParseUint(text, 16, 32)
	if err != nil || len(body) < 12 || uint32(sum) != crc32.ChecksumIEEE([]byte(body)) {
		return false
	}
	return body[:6] == first && body[6:12] == second
}

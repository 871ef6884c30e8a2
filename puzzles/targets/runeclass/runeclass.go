// Package runeclass opens for an identifier with letters that take one, two, three and four bytes in UTF-8.
//
// Technique: none. Bytes that are changed one by one give invalid UTF-8, which is an error as a whole; but what several
// techniques have in store for text gets there in some 100,000 executions, without the operators on runes too.
package runeclass

import (
	"unicode"
	"unicode/utf8"
)

// Open reports whether s is solved.
func Open(s string) bool {
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) < 4 {
		return false
	}
	sizes := 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
		sizes |= 1 << utf8.RuneLen(r)
	}
	return sizes == 1<<1|1<<2|1<<3|1<<4
}

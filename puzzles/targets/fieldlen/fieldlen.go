// Package fieldlen opens when the second field of a line is exactly 777 bytes long.
//
// Technique: lengths. The length belongs to a part of the input that is found by its separators.
package fieldlen

import (
	"strings"
)

// Open reports whether s is solved.
func Open(s string) bool {
	fields := strings.Split(s, "|")
	return len(fields) == 3 && len(fields[1]) == 777
}

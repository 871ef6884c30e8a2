// Package transitivity compares words. Its bug: it compares two numbers as numbers, but a number and a word as text.
package transitivity

import (
	"cmp"
	"strconv"
	"strings"
)

// Compare returns -1, 0 or 1.
func Compare(a, b string) int {
	m, errA := strconv.ParseUint(a, 10, 64)
	n, errB := strconv.ParseUint(b, 10, 64)
	if errA == nil && errB == nil {
		return cmp.Or(cmp.Compare(m, n), strings.Compare(a, b))
	}
	return strings.Compare(a, b)
}

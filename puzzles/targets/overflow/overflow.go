// Package overflow opens for a quantity in decimal that becomes 7 when it is cut to 32 bits.
//
// Technique: text, encodings, value-profile. What is compared with 7 stands in the input only as long as it is small, and writing 7
// there does not help; numbers beyond a power of two do.
package overflow

import (
	"math"
	"strconv"
	"strings"
)

// Open reports whether s is solved.
func Open(s string) bool {
	text, ok := strings.CutPrefix(s, "qty=")
	if !ok {
		return false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > math.MaxInt32 && int32(n) == 7
}

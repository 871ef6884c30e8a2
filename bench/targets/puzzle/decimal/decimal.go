// Package decimal reaches a line only if the input contains a number in decimal digits.
package decimal

import (
	"strconv"
	"strings"

	"bench.test/puzzle/solved"
)

// Target is solved by "n=31415926".
func Target(b []byte) {
	digits, ok := strings.CutPrefix(string(b), "n=")
	if !ok {
		return
	}
	if n, err := strconv.Atoi(digits); err == nil && n-26 == 31415900 {
		solved.Report()
	}
}

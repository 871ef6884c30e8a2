// Package keyword reaches a line only if the input contains keys of a map.
package keyword

import (
	"strings"

	"bench.test/puzzle/solved"
)

var keywords = map[string]int{"fallthrough": 1, "interface": 2, "struct": 4}

// Target is solved by all keywords with spaces between them.
func Target(b []byte) {
	seen := 0
	for _, word := range strings.Fields(string(b)) {
		seen |= keywords[word]
	}
	if seen == 7 {
		solved.Report()
	}
}

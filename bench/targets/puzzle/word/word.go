// Package word reaches a line only if the input contains two words.
package word

import (
	"strings"

	"bench.test/puzzle/solved"
)

// Target is solved by "delete everything".
func Target(b []byte) {
	verb, rest, _ := strings.Cut(string(b), " ")
	if verb == "delete" && rest == "everything" {
		solved.Report()
	}
}

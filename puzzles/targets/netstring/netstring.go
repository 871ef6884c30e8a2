// Package netstring opens for a list of eight strings, each behind its length in decimal, in a string of that kind.
//
// Technique: length-fields. A string that is longer by one needs two lengths that are larger, one of which may need a
// digit more. Blind mutation breaks one of them.
package netstring

import (
	"strconv"
	"strings"
)

// Open reports whether s is solved.
func Open(s string) bool {
	list, rest, ok := next(s)
	if !ok || rest != "" {
		return false
	}
	n, total := 0, 0
	for ; list != ""; n++ {
		var item string
		if item, list, ok = next(list); !ok {
			return false
		}
		total += len(item)
	}
	return n >= 8 && total >= 100
}

// next reads one string, as in 5:hello,
func next(s string) (item, rest string, ok bool) {
	digits, rest, ok := strings.Cut(s, ":")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n >= len(rest) || rest[n] != ',' {
		return "", "", false
	}
	return rest[:n], rest[n+1:], true
}

// Package calls has functions that refuse nothing.
package calls

import "strings"

// Escape makes a text safe.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '<' {
			b.WriteString("&lt;")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Match reports whether a text has a word in it.
func Match(s, word string) bool {
	for i := range s {
		if strings.HasPrefix(s[i:], word) {
			return true
		}
	}
	return false
}

// Package escape writes text without spaces. It does not escape its own escapes.
package escape

import "strings"

// Escape writes each space and each newline as an escape.
func Escape(s string) string {
	return strings.NewReplacer(" ", "%20", "\n", "%0A").Replace(s)
}

// Unescape undoes Escape.
func Unescape(s string) string {
	return strings.NewReplacer("%20", " ", "%0A", "\n", "%25", "%").Replace(s)
}

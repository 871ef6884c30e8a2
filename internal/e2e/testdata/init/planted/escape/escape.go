// Package escape writes text without spaces. Its bug: it does not escape its own escapes.
package escape

import "strings"

// Escape writes each space and each newline as an escape.
func Escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch s[i] {
		case ' ':
			b.WriteString("%20")
		case '\n':
			b.WriteString("%0A")
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// Unescape undoes Escape.
func Unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if i+2 < len(s) && c == '%' {
			switch s[i+1 : i+3] {
			case "20":
				c, i = ' ', i+2
			case "0A":
				c, i = '\n', i+2
			case "25":
				i += 2
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

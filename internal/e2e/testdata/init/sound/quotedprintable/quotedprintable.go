// Package quotedprintable has the encoding of RFC 2045, section 6.7, for binary data: line breaks are escaped too.
package quotedprintable

import (
	"errors"
	"strings"
)

const (
	digits     = "0123456789ABCDEF"
	lineLength = 76
)

// Encode writes printable characters as they are, others as escapes, and lines of at most 76 characters.
func Encode(s string) string {
	var b strings.Builder
	column := 0
	for i := range len(s) {
		c := s[i]
		width := 3
		if ' ' <= c && c <= '~' && c != '=' && (c != ' ' || i+1 < len(s)) {
			width = 1
		}
		if column+width >= lineLength {
			b.WriteString("=\r\n")
			column = 0
		}
		if width == 1 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'=', digits[c>>4], digits[c&15]})
		}
		column += width
	}
	return b.String()
}

// Decode undoes Encode.
func Decode(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c < ' ' || c > '~':
			return "", errors.New("a character that must be escaped")
		case c != '=':
			b.WriteByte(c)
		case strings.HasPrefix(s[i:], "=\r\n"):
			i += 2
		case i+2 >= len(s):
			return "", errors.New("an escape that ends early")
		default:
			high, low := strings.IndexByte(digits, s[i+1]), strings.IndexByte(digits, s[i+2])
			if high < 0 || low < 0 {
				return "", errors.New("an escape without digits")
			}
			b.WriteByte(byte(high<<4 | low))
			i += 2
		}
	}
	return b.String(), nil
}

// Package query decodes and encodes the query part of web addresses, "q=go+fuzzing&lang=en%2Dgb", and keeps the order of
// its pairs.
package query

import (
	"fmt"
	"strings"
)

// A Pair is one key with its value.
type Pair struct{ Key, Value string }

// Decode splits a query into its pairs. Empty pieces, as between "&&", are dropped; a key without "=" has no value.
func Decode(s string) ([]Pair, error) {
	var pairs []Pair
	for _, piece := range strings.Split(s, "&") {
		if piece == "" {
			continue
		}
		left, right, _ := strings.Cut(piece, "=")
		key, err := unescape(left)
		if err != nil {
			return nil, err
		}
		value, err := unescape(right)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, Pair{key, value})
	}
	return pairs, nil
}

// unescape replaces + by a blank and %XX by the byte with that code.
func unescape(s string) (string, error) {
	if !strings.ContainsAny(s, "%+") {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			b.WriteByte(' ')
		case '%':
			if i+2 >= len(s) {
				return "", fmt.Errorf("query: escape cut short in %q", s)
			}
			high, low := digit(s[i+1]), digit(s[i+2])
			if high < 0 || low < 0 {
				return "", fmt.Errorf("query: bad escape %q", s[i:i+3])
			}
			b.WriteByte(byte(high<<4 | low))
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), nil
}

// digit is the value of a hexadecimal digit, or -1.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// Encode is the inverse of [Decode].
func Encode(pairs []Pair) string {
	var b strings.Builder
	for i, pair := range pairs {
		if i > 0 {
			b.WriteByte('&')
		}
		escape(&b, pair.Key)
		b.WriteByte('=')
		escape(&b, pair.Value)
	}
	return b.String()
}

func escape(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ':
			b.WriteByte('+')
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(b, "%%%02X", c)
		}
	}
}

// Package twins has functions for strings and for bytes.
package twins

import (
	"bytes"
	"errors"
	"strings"
)

// Count returns the number of words.
func Count(s string) int { return len(strings.Fields(s)) }

// CountBytes is Count for bytes.
func CountBytes(data []byte) int { return len(bytes.Fields(data)) }

// UpperString returns a text in upper case.
func UpperString(s string) (string, error) { return strings.ToUpper(s), nil }

// Upper is UpperString for bytes.
func Upper(data []byte) ([]byte, error) { return bytes.ToUpper(data), nil }

// Check refuses an empty text.
func Check(s string) error { return CheckBytes([]byte(s)) }

// CheckBytes is Check for bytes.
func CheckBytes(data []byte) error {
	if len(data) == 0 {
		return errors.New("empty")
	}
	return nil
}

// First returns the first word.
func First(s string, upper bool) (string, bool) {
	b, ok := FirstBytes([]byte(s), upper)
	return string(b), ok
}

// FirstBytes is First for bytes.
func FirstBytes(data []byte, upper bool) ([]byte, bool) {
	list := bytes.Fields(data)
	if len(list) == 0 {
		return nil, false
	}
	if upper {
		return bytes.ToUpper(list[0]), true
	}
	return list[0], true
}

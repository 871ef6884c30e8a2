// Package twins has functions for strings and for bytes.
package twins

import (
	"bytes"
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

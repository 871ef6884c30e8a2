// Package normal has functions for normal forms.
package normal

import (
	"bytes"
	"strings"
)

// CleanName removes spaces at the ends.
func CleanName(s string) string { return strings.TrimSpace(s) }

// NormalizePath removes a slash at the end.
func NormalizePath(path string) (string, error) { return strings.TrimSuffix(path, "/"), nil }

// CanonicalBytes returns a text in lower case.
func CanonicalBytes(data []byte) ([]byte, error) { return bytes.ToLower(data), nil }

// Package normal has functions for normal forms.
package normal

import "strings"

// CleanName removes spaces at the ends.
func CleanName(s string) string { return strings.TrimSpace(s) }

// NormalizePath removes a slash at the end.
func NormalizePath(path string) (string, error) { return strings.TrimSuffix(path, "/"), nil }

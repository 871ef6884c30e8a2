// Package external_test has a name that belongs to tests of another package.
package external_test

// Second returns the second byte of a text.
func Second(s string) (byte, error) { return s[1], nil }

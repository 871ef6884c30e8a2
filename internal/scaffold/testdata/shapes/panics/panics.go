// Package panics has a bug that its tests show.
package panics

import "errors"

// Parse reads the second byte.
func Parse(s string) (byte, error) {
	if s == "" {
		return 0, errors.New("empty")
	}
	return s[1], nil
}

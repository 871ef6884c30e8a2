// Package antisymmetry compares versions. Its bug: if two versions differ only in leading zeros, each is less than the other.
package antisymmetry

import (
	"errors"
	"strings"
)

// Version is a version of decimal numbers and dots.
type Version struct{ text string }

// Parse reads a version.
func Parse(s string) (Version, error) {
	for number := range strings.SplitSeq(s, ".") {
		if number == "" || strings.Trim(number, "0123456789") != "" {
			return Version{}, errors.New("no number between the dots")
		}
	}
	return Version{s}, nil
}

// Compare returns -1, 0 or 1.
func (v Version) Compare(w Version) int {
	if v == w {
		return 0
	}
	a, b := strings.Split(v.text, "."), strings.Split(w.text, ".")
	for i := range min(len(a), len(b)) {
		x, y := strings.TrimLeft(a[i], "0"), strings.TrimLeft(b[i], "0")
		switch {
		case len(x) > len(y), len(x) == len(y) && x > y:
			return 1
		case x != y:
			return -1
		}
	}
	if len(a) > len(b) {
		return 1
	}
	return -1
}

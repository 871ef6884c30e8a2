// Package laws has versions that are compared.
package laws

import (
	"cmp"
	"strconv"
	"strings"
)

// Version has two numbers.
type Version struct{ major, minor int }

// Parse reads a version such as 1.2.
func Parse(s string) (Version, error) {
	a, b, _ := strings.Cut(s, ".")
	major, err := strconv.Atoi(a)
	if err != nil {
		return Version{}, err
	}
	minor, err := strconv.Atoi(b)
	return Version{major, minor}, err
}

// Compare returns -1, 0 or 1.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.major, w.major), cmp.Compare(v.minor, w.minor))
}

// Equal reports whether two versions are the same.
func (v Version) Equal(w Version) bool { return v == w }

// Less reports whether a version comes first.
func (v Version) Less(w Version) bool { return v.Compare(w) < 0 }

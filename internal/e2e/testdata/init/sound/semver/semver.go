// Package semver has semantic versions, as semver.org describes them in version 2.0.0.
package semver

import (
	"cmp"
	"errors"
	"strings"
)

// Version is a semantic version. Its numbers are of any size.
type Version struct {
	numbers    [3]string
	prerelease string
	build      string
}

// Parse reads a version.
func Parse(s string) (Version, error) {
	var v Version
	rest, build, hasBuild := strings.Cut(s, "+")
	rest, prerelease, hasPrerelease := strings.Cut(rest, "-")
	numbers := strings.Split(rest, ".")
	if len(numbers) != 3 || hasBuild && !identifiers(build, false) || hasPrerelease && !identifiers(prerelease, true) {
		return Version{}, errors.New("no version")
	}
	for i, n := range numbers {
		if !isNumber(n) || len(n) > 1 && n[0] == '0' {
			return Version{}, errors.New("no number: " + n)
		}
		v.numbers[i] = n
	}
	v.prerelease, v.build = prerelease, build
	return v, nil
}

// identifiers reports whether a text consists of identifiers with dots between them. In those of a prerelease no number begins with a zero.
func identifiers(s string, prerelease bool) bool {
	for id := range strings.SplitSeq(s, ".") {
		if id == "" || prerelease && len(id) > 1 && id[0] == '0' && isNumber(id) {
			return false
		}
		for i := range len(id) {
			if c := id[i]; c != '-' && !('0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z') {
				return false
			}
		}
	}
	return true
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// String returns the form that Parse reads.
func (v Version) String() string {
	s := strings.Join(v.numbers[:], ".")
	if v.prerelease != "" {
		s += "-" + v.prerelease
	}
	if v.build != "" {
		s += "+" + v.build
	}
	return s
}

// Compare returns -1, 0 or 1. It ignores the build.
func (v Version) Compare(w Version) int {
	for i := range v.numbers {
		if c := compareNumbers(v.numbers[i], w.numbers[i]); c != 0 {
			return c
		}
	}
	if v.prerelease == "" || w.prerelease == "" {
		return -cmp.Compare(len(v.prerelease), 0) + cmp.Compare(len(w.prerelease), 0)
	}
	a, b := strings.Split(v.prerelease, "."), strings.Split(w.prerelease, ".")
	for i := range min(len(a), len(b)) {
		if c := compareIdentifiers(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Less reports whether a version comes before another one.
func (v Version) Less(w Version) bool { return v.Compare(w) < 0 }

// Equal reports whether neither of two versions comes before the other one.
func (v Version) Equal(w Version) bool { return v.Compare(w) == 0 }

func compareNumbers(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// compareIdentifiers compares numbers as such; they come before other identifiers.
func compareIdentifiers(a, b string) int {
	switch {
	case isNumber(a) && isNumber(b):
		return compareNumbers(a, b)
	case isNumber(a):
		return -1
	case isNumber(b):
		return 1
	}
	return strings.Compare(a, b)
}

// MarshalText implements encoding.TextMarshaler.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Version) UnmarshalText(text []byte) (err error) {
	*v, err = Parse(string(text))
	return err
}

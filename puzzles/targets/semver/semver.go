// Package semver opens for one version with one pre-release.
//
// Technique: encodings, value-profile. Minor and patch are compared as numbers, nested. Blind mutation has to hit all of it at once.
package semver

import (
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var minor, patch = derived.Uint64("minor") % 1e9, derived.Uint64("patch") % 1e9

// Open reports whether s is solved.
func Open(s string) bool {
	version, pre, _ := strings.Cut(strings.TrimPrefix(s, "v"), "-")
	parts := strings.Split(version, ".")
	if len(parts) != 3 {
		return false
	}
	var n [3]uint64
	for i, part := range parts {
		var err error
		if n[i], err = strconv.ParseUint(part, 10, 64); err != nil {
			return false
		}
	}
	return n[1] == minor && n[2] == patch && strings.HasPrefix(pre, "rc.")
}

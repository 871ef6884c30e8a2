// Package percent opens for a path whose bytes are not ASCII and must be escaped.
//
// Technique: encodings. The path is compared after unescaping. Blind mutation has to hit all of it at once.
package percent

import (
	"net/url"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = "/" + derived.Word("percent", 3) + "\xff/" + derived.Word("path", 4)

// Open reports whether s is solved.
func Open(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	path, err := url.PathUnescape(s)
	return err == nil && path == want
}

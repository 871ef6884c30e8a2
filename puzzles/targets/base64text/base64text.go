// Package base64text opens for one password in base64, as in an Authorization header.
//
// Technique: encodings. The password is compared after decoding. Blind mutation has to hit all of it at once.
package base64text

import (
	"encoding/base64"
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = "root:" + derived.Word("base64", 8)

// Open reports whether s is solved.
func Open(s string) bool {
	text, ok := strings.CutPrefix(s, "Basic ")
	if !ok {
		return false
	}
	b, err := base64.StdEncoding.DecodeString(text)
	return err == nil && string(b) == want
}

// Package gzipbody opens for one word in a compressed file.
//
// Technique: checksums. compress/gzip compares the checksum of what it has decompressed, and the word is looked at
// after that: replacing it makes the checksum wrong. Blind mutation has to hit both.
package gzipbody

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var want = derived.Word("gzip", 8)

// Open reports whether b is solved.
func Open(b []byte) bool {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(r, 1<<12))
	return err == nil && string(text) == want
}

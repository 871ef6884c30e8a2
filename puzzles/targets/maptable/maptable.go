// Package maptable opens for one keyword of a table of 40, which are found by map lookup only.
//
// Technique: map-keys. A lookup compares hashes, in code that is not instrumented. The words stand in no file. Blind
// mutation has to hit nine letters at once.
package maptable

import (
	"strconv"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var table = func() map[string]int {
	m := map[string]int{}
	for i := range 40 {
		m[derived.Word("keyword"+strconv.Itoa(i), 9)] = i + 1
	}
	return m
}()

// Open reports whether s is solved.
func Open(s string) bool {
	return table[s] != 0
}

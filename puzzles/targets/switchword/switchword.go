// Package switchword opens for one command of a switch on strings, behind a verb, at the end of a line.
//
// Technique: dictionary, tokens. Cases of another length than the word are not compared at all, only their length is;
// the words are literals of this file. Blind mutation has to hit eight letters at once.
package switchword

import (
	"strings"
)

// Open reports whether s is solved.
func Open(s string) bool {
	verb, noun, ok := strings.Cut(s, " ")
	if !ok {
		return false
	}
	switch verb {
	case "create", "describe", "terminate":
	default:
		return false
	}
	switch noun {
	case "volume", "snapshot", "interface":
		return false
	case "loadbalancer":
		return verb == "terminate"
	}
	return false
}

// Package soup opens for three words in order, out of twelve that are constants of another package.
//
// Technique: dictionary. The words are compared as interface values, which is not instrumented. Blind mutation has to
// hit seven letters at once.
package soup

import (
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/soup/words"
)

var keywords = []any{
	words.Abandon, words.Balance, words.Capture, words.Dismiss, words.Enclose, words.Forward,
	words.Gesture, words.Harvest, words.Inspect, words.Justify, words.Kindred, words.Liberty,
}

// Open reports whether s is solved.
func Open(s string) bool {
	state := 0
	for word := range strings.FieldsSeq(s) {
		switch find(word) {
		case 3:
			state = 1
		case 8:
			state = advance(state, 1)
		case 5:
			state = advance(state, 2)
		default:
			return false
		}
	}
	return state == 3
}

// find returns the number of a keyword, or -1.
func find(word any) int {
	for i, k := range keywords {
		if k == word {
			return i
		}
	}
	return -1
}

func advance(state, from int) int {
	if state == from {
		return state + 1
	}
	return 0
}

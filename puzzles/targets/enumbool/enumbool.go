// Package enumbool opens for one word behind a boolean and a number that stands for a mode.
//
// Technique: solve. The word is compared only if the two other arguments are right. It stands in no file. Blind
// mutation has to hit ten letters at once.
package enumbool

import (
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

type mode int

const (
	read mode = iota
	write
	admin
)

var password = derived.Word("password", 10)

// Open reports whether the arguments are solved.
func Open(debug bool, m int, s string) bool {
	return debug && mode(m) == admin && s == password
}

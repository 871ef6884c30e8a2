// Package verb runs commands of one line. Most of its verbs have a bug.
package verb

import (
	"fmt"
	"strings"

	"example.com/planted/deep"
)

type node struct{ name string }

var nodes = map[string]*node{"root": {"root"}}

// Run runs a command such as "at 3".
func Run(line string) int {
	verb, arg, _ := strings.Cut(line, " ")
	list := []int{1, 2, 3}
	switch verb {
	case "at":
		return list[len(arg)] // bug 01
	case "cut":
		return len(arg[:4]) // bug 02
	case "nil":
		return len(nodes[arg].name) // bug 03
	case "div":
		return 100 / len(arg) // bug 04
	case "int":
		var v any = arg
		return v.(int) // bug 05
	case "panic":
		panic(fmt.Sprintf("unknown verb %q", arg)) // bug 06
	case "deep":
		return deep.Fall(arg)
	case "wide":
		if arg == "all" {
			return len(blanks(10_000))
		}
	}
	return 0
}

// blanks allocates each text on the way to the last one.
func blanks(n int) (s string) {
	for range n {
		s += " " // bug 39
	}
	return s
}

// onces is how often the process has repeated what it should repeat once.
var onces int

// Repeat repeats.
func Repeat(s string, n uint8, twice bool) string {
	if s == "rep" {
		return strings.Repeat(s, int(n)-1) // bug 21
	}
	if s == "once" {
		if onces++; onces > 1 {
			panic("not more than once") // bug 47
		}
	}
	if s == "go" {
		return string(rune(1 << (int(n) - 1))) // bug 20
	}
	if twice && n > 200 {
		var m map[string]bool
		m[s] = true // bug 18
	}
	if !twice && n == 77 {
		c := make(chan int)
		close(c)
		close(c) // bug 19
	}
	return s
}

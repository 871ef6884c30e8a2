// Package field checks fields.
package field

import (
	"fmt"
	"strings"
)

// Check fails at one line for several reasons.
func Check(b []byte) {
	if len(b) > 4 && b[0] == 'L' {
		fail("field too long")
	}
	if len(b) == 2 && b[0] == 'S' {
		fail("field too short")
	}
	if len(b) > 2 && b[0] == 'N' && b[1] > 200 {
		fail(fmt.Sprintf("bad size %d", b[1]))
	}
	if len(b) > 5 && b[0] == 'I' {
		_ = index(b[1:])
	}
	if len(b) > 2 && b[0] == 'K' {
		recent = append(recent[:len(recent)%recentLimit], b) // bug 45
	}
}

// recentLimit is how many fields are remembered.
const recentLimit = 64

var recent [][]byte

func fail(reason string) {
	panic(reason) // bug 08, bug 09, bug 10
}

func index(b []byte) byte {
	var table [16]byte
	return table[b[0]] // bug 07
}

// Escape forgets the percent sign.
func Escape(s string) string { return strings.ReplaceAll(s, " ", "%20") }

// Unescape is the opposite of Escape.
func Unescape(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "%20", " "), "%", "")
}

// Unclosed counts the brackets that are not closed. It looks for the end of each from its beginning on.
func Unclosed(s string) (n int) {
	for i := range s {
		if s[i] == '(' && closing(s[i:]) < 0 { // bug 40
			n++
		}
	}
	return n
}

// closing returns where the bracket is closed that s begins with; -1 if it is not.
func closing(s string) int {
	depth := 0
	for i := range s {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// Lower makes operations small that have no other meaning.
func Lower(ops []byte) {
	for i, op := range ops {
		if op == 'Z' {
			ops[i] = 'z' // bug 43
		}
	}
}

// State is a machine with a stack.
type State struct {
	stack  []byte
	closed bool
	hook   func()
}

// Step does one operation.
func (s *State) Step(op byte) {
	switch op {
	case 'a':
		if s.closed {
			panic("use after close") // bug 36
		}
		s.stack = append(s.stack, op)
	case 'b':
		s.stack = s.stack[:len(s.stack)-1] // bug 35
	case 'c':
		s.closed = true
	case 'd':
		s.hook() // bug 38
	}
}

// Depth is the size of the stack.
func (s *State) Depth() int { return len(s.stack) }

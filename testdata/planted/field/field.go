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
}

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

// Package order compares without regard to case.
package order

import (
	"errors"
	"strings"
)

// Compare returns -1, 0 or 1.
func Compare(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// Code is a word.
type Code struct{ word string }

// NewCode reads a code.
func NewCode(s string) (*Code, error) {
	if s == "" {
		return nil, errors.New("empty")
	}
	return &Code{s}, nil
}

// Cmp returns -1, 0 or 1.
func (c *Code) Cmp(d *Code) int { return Compare(c.word, d.word) }

// Equal also compares the case.
func (c *Code) Equal(d *Code) bool { return c.word == d.word }

// GreaterThan reports whether a code comes last.
func (c *Code) GreaterThan(d *Code) bool { return c.Cmp(d) > 0 }

// Package parse reads numbers.
package parse

import "errors"

// Digits returns the value of a decimal number of at most nine digits.
func Digits(s string) (int, error) {
	if s == "" || len(s) > 9 {
		return 0, errors.New("no number")
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, errors.New("no digit")
		}
		n = 10*n + int(c-'0')
	}
	return n, nil
}

// Base is how numbers are written.
type Base int

// The bases.
const (
	Octal Base = 8
	Hex   Base = 16
)

// InBase returns the value of a number in a base.
func InBase(s string, base Base, signed bool) (int, error) {
	n, err := Digits(s)
	if signed {
		n = -n
	}
	return n % int(base), err
}

// SplitField returns a field of a line, and whether there is one.
func SplitField(line []byte, n int) ([]byte, bool) {
	if n >= len(line) {
		return nil, false
	}
	return line[n:], true
}

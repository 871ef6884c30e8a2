// Package skipped has functions that get no targets.
package skipped

import (
	"errors"
	"fmt"
	"net"
	"os"
)

var names []string

// ParseFile reads a file.
func ParseFile(name string) ([]byte, error) { return os.ReadFile(name) }

// Lookup asks the network.
func Lookup(host string) ([]string, error) { return resolve(host) }

func resolve(host string) ([]string, error) { return net.LookupHost(host) }

// MustParse is Parse for constants.
func MustParse(s string) (int, error) { return len(s), nil }

// Parse panics if s is empty.
func Parse(s string) (int, error) { return int(s[0]), nil }

// Add keeps a name.
func Add(name string) error {
	names = append(names, name)
	return nil
}

// Limit cuts a text.
func Limit(s string, n int) (string, error) {
	if n > len(s) {
		return "", errors.New("too long")
	}
	return s[:n], nil
}

// Into reads a number into a value.
func Into(s string, v any) error {
	for len(s) > 0 && s[0] == '=' {
		s = s[1:]
	}
	_, err := fmt.Sscan(s, v)
	return err
}

// Value is a Decoder of values.
type Value struct{ n int }

// Decode reads a text into a value.
func (v *Value) Decode(s string, into any) error {
	v.n = len(s)
	return Into(s, into)
}

// Each calls a function.
func Each(s string, f func(rune) error) error { return f(0) }

// Generic has a type parameter.
func Generic[T any](s string) (T, error) {
	var zero T
	return zero, nil
}

// Tree has a hidden part that a constructor makes.
type Tree struct{ nodes map[string]int }

// NewTree returns a tree of a size.
func NewTree(size int) *Tree { return &Tree{make(map[string]int, size)} }

// Decode reads a node.
func (t *Tree) Decode(s string) error {
	t.nodes[s]++
	return nil
}

// Ordered is a list in the order of a function.
type Ordered struct {
	Before func(a, b string) bool
	Names  []string
}

// NewOrderedWith returns an empty list.
func NewOrderedWith(before func(a, b string) bool) *Ordered { return &Ordered{Before: before} }

// UnmarshalText inserts a name into the list.
func (o *Ordered) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("empty")
	}
	i := 0
	for i < len(o.Names) && o.Before(o.Names[i], string(text)) {
		i++
	}
	o.Names = append(o.Names[:i:i], append([]string{string(text)}, o.Names[i:]...)...)
	return nil
}

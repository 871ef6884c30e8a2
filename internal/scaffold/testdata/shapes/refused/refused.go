// Package refused has functions with a suitable signature that get no targets.
package refused

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
)

// words remembers words.
type words struct{ list []string }

func (w *words) add(s string) { w.list = append(w.list, s) }

var known words

// Remember hands a word to a variable.
func Remember(s string) error {
	known.add(s)
	return nil
}

// PrintWord prints a word.
func PrintWord(s string) error { return errors.New(s) }

// ParseOld reads a word.
//
// Deprecated: use something else.
func ParseOld(s string) (int, error) { return len(s), nil }

// Nth returns a byte. The text must be long enough.
func Nth(s string) (byte, error) { return s[9], nil }

// Match reports whether a text matches a pattern.
func Match(pattern, s string) bool { return regexp.MustCompile(pattern).MatchString(s) }

// Send sends a word.
func Send(s string, to chan string) error {
	to <- s
	return nil
}

// Find finds a word.
func Find(s string, re regexp.Regexp) (string, error) { return re.FindString(s), nil }

// Ask asks with a word.
func Ask(s string, client *http.Client) (string, error) { return s, nil }

// Set is a set of words.
type Set[T ~string] struct{ words map[T]bool }

// Parse reads a word.
func (s *Set[T]) Parse(word string) error { return nil }

// hidden is not exported.
type hidden struct{}

// Parse reads a word.
func (h hidden) Parse(word string) (int, error) { return strings.Count(word, "-"), nil }

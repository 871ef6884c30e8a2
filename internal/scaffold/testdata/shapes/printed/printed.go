// Package printed reads pairs.
package printed

import (
	"errors"
	"strings"
)

// Pair is a key with a value.
type Pair struct{ Key, Value string }

// Parse reads a pair: a key, an equals sign, a value.
func Parse(s string) (*Pair, error) {
	key, value, ok := strings.Cut(s, "=")
	if !ok {
		return nil, errors.New("no equals sign")
	}
	return &Pair{key, value}, nil
}

// String is the form that Parse reads.
func (p *Pair) String() string { return p.Key + "=" + p.Value }

// List is some words.
type List struct{ words []string }

// ParseList reads words between commas.
func ParseList(s string) (List, bool) {
	if s == "" {
		return List{}, false
	}
	return List{strings.Split(s, ",")}, true
}

// ParseWords is ParseList for words between spaces.
func ParseWords(s string) (List, error) { return List{strings.Fields(s)}, nil }

// String is for people.
func (l List) String() string { return "(" + strings.Join(l.words, " ") + ")" }

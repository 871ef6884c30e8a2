// Package glob has patterns with *, ?, sets in brackets and escapes.
package glob

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Pattern is a compiled pattern.
type Pattern struct {
	text  string
	parts []part
}

// part matches one character, or any number of them.
type part struct {
	star bool
	not  bool
	sets []span // a character matches that is in one of them
}

type span struct{ from, to rune }

var whole = span{0, utf8.MaxRune}

// errPattern says that a pattern is not well-formed.
var errPattern = errors.New("the pattern is not well-formed")

// Compile reads a pattern, which is text in UTF-8.
func Compile(pattern string) (*Pattern, error) {
	if !utf8.ValidString(pattern) {
		return nil, errPattern
	}
	p := &Pattern{text: pattern}
	rest := []rune(pattern)
	for len(rest) > 0 {
		c := rest[0]
		rest = rest[1:]
		one := part{sets: []span{{c, c}}}
		switch c {
		case '*':
			if n := len(p.parts); n > 0 && p.parts[n-1].star {
				continue
			}
			one = part{star: true, sets: []span{whole}}
		case '?':
			one.sets = []span{whole}
		case '[':
			var err error
			if one, rest, err = set(rest); err != nil {
				return nil, err
			}
		case '\\':
			if len(rest) == 0 {
				return nil, errPattern
			}
			one.sets = []span{{rest[0], rest[0]}}
			rest = rest[1:]
		}
		p.parts = append(p.parts, one)
	}
	return p, nil
}

// set reads a set up to the closing bracket.
func set(rest []rune) (part, []rune, error) {
	var p part
	if len(rest) > 0 && rest[0] == '^' {
		p.not, rest = true, rest[1:]
	}
	for len(rest) > 0 && (rest[0] != ']' || len(p.sets) == 0) {
		from, left, ok := member(rest)
		to := from
		if ok && len(left) > 0 && left[0] == '-' {
			to, left, ok = member(left[1:])
		}
		if !ok || to < from {
			return p, nil, errPattern
		}
		p.sets, rest = append(p.sets, span{from, to}), left
	}
	if len(rest) == 0 {
		return p, nil, errPattern
	}
	return p, rest[1:], nil
}

// member reads one character of a set.
func member(rest []rune) (r rune, left []rune, ok bool) {
	if len(rest) > 0 && rest[0] == '\\' {
		rest = rest[1:]
		if len(rest) == 0 {
			return 0, nil, false
		}
		return rest[0], rest[1:], true
	}
	if len(rest) == 0 || rest[0] == '-' || rest[0] == ']' {
		return 0, nil, false
	}
	return rest[0], rest[1:], true
}

// String returns the text of the pattern.
func (p *Pattern) String() string { return p.text }

// Match reports whether all of a text matches.
func (p *Pattern) Match(s string) bool {
	text := []rune(s)
	at, star, mark := 0, -1, 0
	for i := 0; i < len(text); {
		switch {
		case at < len(p.parts) && p.parts[at].star:
			star, mark = at, i
			at++
		case at < len(p.parts) && p.parts[at].has(text[i]):
			at++
			i++
		case star >= 0: // the last star takes one character more
			mark++
			at, i = star+1, mark
		default:
			return false
		}
	}
	for at < len(p.parts) && p.parts[at].star {
		at++
	}
	return at == len(p.parts)
}

func (p part) has(r rune) bool {
	for _, s := range p.sets {
		if s.from <= r && r <= s.to {
			return !p.not
		}
	}
	return p.not
}

// Match reports whether all of a text matches a pattern. The error says that the pattern is not well-formed.
func Match(pattern, s string) (bool, error) {
	p, err := Compile(pattern)
	if err != nil {
		return false, err
	}
	return p.Match(s), nil
}

// Escape returns a pattern that matches a text and nothing else.
func Escape(s string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(s)
}

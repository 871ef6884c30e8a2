// Package behindsetup opens for one tag of a template language, whose scanner compiles its regular expressions for each template.
//
// Technique: setup. Compiling compares more than a log has room for, always the same, and the tag is looked up last.
package behindsetup

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var tags = func() map[string]bool {
	m := map[string]bool{}
	for i := range 12 {
		m[derived.Word("tag"+strconv.Itoa(i), 8)] = true
	}
	return m
}()

// A scanner finds the parts of a template between delimiters.
type scanner struct{ value, tag *regexp.Regexp }

func newScanner(left, right string) scanner {
	q := regexp.QuoteMeta
	return scanner{
		value: regexp.MustCompile(q(left) + `\{-?\s*([\w.]+)(?:\s*\|\s*(\w+)(?::\s*("[^"]*"|'[^']*'|[\w.-]+))?)*\s*-?\}` + q(right)),
		tag:   regexp.MustCompile(q(left) + `%-?\s*(\w+)(?:\s+((?:[^%]|%[^` + q(right) + `])+?))?\s*-?%` + q(right)),
	}
}

// Open reports whether a template is solved.
func Open(template string) bool {
	s := newScanner("{", "}")
	for _, m := range s.tag.FindAllStringSubmatch(s.value.ReplaceAllString(template, ""), -1) {
		if tags[strings.TrimSpace(m[1])] {
			return true
		}
	}
	return false
}

package known

import (
	"fmt"
	"strings"
)

// Limits of a list, which is a file of the repository and may be anything: the time that package toml takes grows with the square of the
// parts of a key and more than that with nested tables. A list has keys of one part in tables or in a list of tables.
const (
	maxSize    = 512 << 10 // bytes: two thousand entries
	maxParts   = 8         // of one key
	maxNesting = 8         // of brackets and braces
)

// checkShape returns an error if a part of the text of a list is nested deeper than what is read.
func checkShape(text string) error {
	line, parts, nesting := 1, 1, 0
	for text != "" {
		n := tokenLength(text)
		switch text[0] {
		case '.':
			parts++
		case '\n', '=', ',':
			parts = 1
		case '[', '{':
			parts = 1
			nesting++
		case ']', '}':
			nesting = max(nesting-1, 0)
		}
		if parts > maxParts {
			return fmt.Errorf("line %d: a key has more than %d parts", line, maxParts)
		}
		if nesting > maxNesting {
			return fmt.Errorf("line %d: values are nested more than %d levels deep", line, maxNesting)
		}
		line += strings.Count(text[:n], "\n")
		text = text[n:]
	}
	return nil
}

// tokenLength returns the length of the comment or the string of TOML that text begins with, or 1. Of what is not closed it is the rest
// of the line, or of the text if it may have several lines.
func tokenLength(text string) int {
	switch {
	case text[0] == '#':
		return lineLength(text)
	case strings.HasPrefix(text, `"""`), strings.HasPrefix(text, `'''`):
		return closed(text, text[:3], len(text))
	case text[0] == '"', text[0] == '\'':
		return closed(text, text[:1], lineLength(text))
	}
	return 1
}

// closed returns the length of the string of at most limit bytes that text begins with, up to the mark that ends it. A backslash escapes
// what follows between double quotes.
func closed(text, mark string, limit int) int {
	for i := len(mark); i < limit; i++ {
		switch {
		case strings.HasPrefix(text[i:], mark):
			return i + len(mark)
		case text[i] == '\\' && mark[0] == '"':
			i++
		}
	}
	return limit
}

// lineLength returns how many bytes come before the end of the line.
func lineLength(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

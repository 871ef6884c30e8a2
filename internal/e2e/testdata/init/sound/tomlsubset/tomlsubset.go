// Package tomlsubset reads and writes a part of TOML: tables with strings, whole numbers and truth values.
package tomlsubset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Document is a list of tables, the first of which has no name.
type Document struct{ tables []table }

type table struct {
	name  string
	pairs []pair
}

type pair struct {
	key   string
	value any // string, int64 or bool
}

// Parse reads a document.
func Parse(s string) (*Document, error) {
	if !utf8.ValidString(s) {
		return nil, errors.New("the text is not in UTF-8")
	}
	d := &Document{tables: []table{{}}}
	seen := map[string]bool{}
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		n++
		if err := d.line(strings.Trim(line, " \t\r"), seen); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return d, nil
}

// line reads a line without the space around it. seen has the names of the tables and the keys that were read.
func (d *Document) line(line string, seen map[string]bool) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	if name, ok := strings.CutPrefix(line, "["); ok {
		name, ok = strings.CutSuffix(name, "]")
		if name = strings.Trim(name, " \t"); !ok || !isKey(name) || seen["["+name] {
			return errors.New("no new name of a table in brackets")
		}
		seen["["+name] = true
		d.tables = append(d.tables, table{name: name})
		return nil
	}
	key, text, ok := strings.Cut(line, "=")
	last := &d.tables[len(d.tables)-1]
	if key = strings.Trim(key, " \t"); !ok || !isKey(key) || seen[last.name+"="+key] {
		return errors.New("no new key before an equals sign")
	}
	seen[last.name+"="+key] = true
	value, err := parseValue(strings.Trim(text, " \t"))
	last.pairs = append(last.pairs, pair{key, value})
	return err
}

// isKey reports whether a text is a bare key.
func isKey(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

func parseValue(s string) (any, error) {
	switch {
	case s == "true" || s == "false":
		return s == "true", nil
	case strings.HasPrefix(s, `"`):
		return unquote(s)
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || len(digits) > 1 && digits[0] == '0' {
		return nil, errors.New("no value")
	}
	return strconv.ParseInt(s, 10, 64)
}

// escapes are the characters behind a backslash, and what they stand for.
const (
	escaped = "\"\\bfnrt"
	plain   = "\"\\\b\f\n\r\t"
)

// unquote reads a string in quotation marks that is all of s.
func unquote(s string) (string, error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' && i == len(s)-1:
			return b.String(), nil
		case c == '"' || c < ' ' && c != '\t' || c == 0x7f:
			return "", errors.New("a character that must be escaped")
		case c != '\\':
			b.WriteByte(c)
		case i+5 < len(s) && s[i+1] == 'u':
			r, err := strconv.ParseUint(s[i+2:i+6], 16, 32)
			if err != nil || !utf8.ValidRune(rune(r)) {
				return "", errors.New("no character behind \\u")
			}
			b.WriteRune(rune(r))
			i += 5
		default:
			i++
			if i == len(s) || strings.IndexByte(escaped, s[i]) < 0 {
				return "", errors.New("no escape behind a backslash")
			}
			b.WriteByte(plain[strings.IndexByte(escaped, s[i])])
		}
	}
	return "", errors.New("a string that does not end")
}

// String returns the form that Parse reads, without comments.
func (d *Document) String() string {
	var b strings.Builder
	for i, t := range d.tables {
		if i > 0 {
			fmt.Fprintf(&b, "[%s]\n", t.name)
		}
		for _, p := range t.pairs {
			b.WriteString(p.key + " = ")
			if s, ok := p.value.(string); ok {
				quote(&b, s)
			} else {
				fmt.Fprint(&b, p.value)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// quote writes a string in quotation marks.
func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		i := strings.IndexRune(plain, r)
		switch {
		case i >= 0:
			b.WriteByte('\\')
			b.WriteByte(escaped[i])
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

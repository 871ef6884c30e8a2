// Package ini reads and writes configuration files of sections, keys and values:
//
//	# a comment
//	name = gnaw
//
//	[cache]
//	dir = "  leading blanks need quotes"
package ini

import (
	"fmt"
	"strings"
)

// A File is a list of sections; the keys before the first header are in a section without a name.
type File []Section

// A Section is a header with the keys below it.
type Section struct {
	Name string
	Keys []Key
}

// A Key is one line of a file.
type Key struct{ Name, Value string }

// Parse reads a file. Blank lines and lines that start with # or ; are dropped.
func Parse(text string) (File, error) {
	var file File
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			name, ok := header(line)
			if !ok {
				return nil, fmt.Errorf("line %d: malformed header %q", i+1, line)
			}
			file = append(file, Section{Name: name})
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("line %d: want key = value, have %q", i+1, line)
		}
		if len(file) == 0 {
			file = append(file, Section{})
		}
		last := &file[len(file)-1]
		last.Keys = append(last.Keys, Key{name, unquote(strings.TrimSpace(value))})
	}
	return file, nil
}

// header reads the name from a line like [name].
func header(line string) (name string, ok bool) {
	inner, ok := strings.CutSuffix(line[1:], "]")
	name = strings.TrimSpace(inner)
	return name, ok && name != "" && !strings.ContainsAny(name, "[]")
}

// unquote removes the quotes around a value.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// quote adds quotes to a value that would lose blanks without them.
func quote(s string) string {
	if strings.TrimSpace(s) != s {
		return `"` + s + `"`
	}
	return s
}

// String writes the file in the format that [Parse] reads.
func (f File) String() string {
	var b strings.Builder
	for _, section := range f {
		if section.Name != "" {
			fmt.Fprintf(&b, "[%s]\n", section.Name)
		}
		for _, key := range section.Keys {
			fmt.Fprintf(&b, "%s = %s\n", key.Name, quote(key.Value))
		}
	}
	return b.String()
}

// Get finds the last value of a key in the sections of a name.
func (f File) Get(section, key string) (value string, ok bool) {
	for _, s := range f {
		if s.Name != section {
			continue
		}
		for _, k := range s.Keys {
			if k.Name == key {
				value, ok = k.Value, true
			}
		}
	}
	return value, ok
}

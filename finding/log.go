package finding

import (
	"cmp"
	"strings"
)

// logEntry is what one call of t.Log, t.Error or t.Fatal printed.
type logEntry struct {
	line   int      // of the output, from 0
	indent int      // of that line, in bytes of white space
	place  string   // "file.go:12"
	text   string   // first line that says something
	rest   []string // its other lines, as they are indented
	// listed: the text stands in a list of sections. Package testing itself never logs so, so it is no panic of the target.
	listed bool
	calls  []Call // of the panic that the target recovered from and logged with its stack; nil: there is none
}

// log returns what package testing logged, in order. Assertion libraries log an empty line first, and sections behind it:
// testify has one "Error:", quicktest one "error:", and one "stack:" with the place, since the one that package testing
// knows is in the library.
//
// Lines of a text behind the first one are indented deeper than that, and may look like an entry or like the head of another test: compilers
// speak so.
func log(lines []string) (entries []logEntry) {
	deepest := maxIndent
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "--- ") && len(indent(line)) <= deepest { // of another test
			deepest = maxIndent
		}
		place, text, ok := logLine(line)
		if !ok || len(indent(line)) > deepest {
			continue
		}
		deepest = len(indent(line))
		e := logEntry{line: i, indent: len(indent(line)), place: place, text: text, rest: below(lines[i+1:], len(indent(line)))}
		if strings.TrimSpace(text) == "" {
			e.sections()
		}
		if !e.ofTesting() {
			e.passedOn(entries)
			e.recovered()
		}
		entries = append(entries, e)
	}
	return entries
}

// below returns the first lines that are indented deeper than so many bytes, or empty.
func below(lines []string, depth int) []string {
	for i, line := range lines {
		if line != "" && len(indent(line)) <= depth {
			return lines[:i]
		}
	}
	return lines
}

// ofTesting reports whether package testing itself has logged the entry.
func (e *logEntry) ofTesting() bool {
	return strings.HasPrefix(e.place, "testing.go:") || strings.HasPrefix(e.place, "panic.go:")
}

// passedOn looks for the entry of a test file whose text e repeats: libraries that call the code of a test by themselves, such as rapid,
// log a failure where that calls Fatal, and fail with the same words in a file of their own.
func (e *logEntry) passedOn(before []logEntry) {
	if inTestFile(e.place) {
		return
	}
	for i := len(before) - 1; i >= 0; i-- {
		if b := before[i]; inTestFile(b.place) && strings.TrimSpace(b.text) != "" && strings.HasSuffix(e.text, b.text) {
			e.place, e.text, e.rest, e.listed = b.place, b.text, b.rest, b.listed
			return
		}
	}
}

// inTestFile reports whether a place that package testing has printed is in a test file.
func inTestFile(place string) bool {
	file, _, _ := strings.Cut(place, ":")
	return strings.HasSuffix(file, "_test.go")
}

// recovered looks for the stack of a panic from which the target has recovered, below the text: the place of the failure is where that
// panicked.
func (e *logEntry) recovered() {
	if calls := recoveredStack(e.rest); len(calls) > 0 {
		e.place, e.calls = placeOf(calls), calls
	}
}

// maxIndent is more bytes than any line that is looked at begins with.
const maxIndent = 1 << 30

// logLine splits "    file.go:12: text".
func logLine(line string) (place, text string, ok bool) {
	line = strings.TrimLeft(line, " \t")
	i := strings.Index(line, ".go:")
	if i < 0 || strings.ContainsAny(line[:i], " \t") {
		return "", "", false
	}
	digits := i + len(".go:")
	j := digits
	for j < len(line) && line[j] >= '0' && line[j] <= '9' {
		j++
	}
	text, ok = strings.CutPrefix(line[j:], ":")
	if j == digits || !ok || text != "" && text[0] != ' ' {
		return "", "", false
	}
	return line[:j], strings.TrimPrefix(text, " "), true
}

// sections finds the text of an entry that begins with an empty line, and its place if there is one.
func (e *logEntry) sections() {
	first, found, section := "", "", ""
	for _, line := range e.rest {
		line = strings.TrimSpace(line)
		rest, isError := strings.CutPrefix(line, "Error:")
		switch {
		case line == "":
		case line == "error:" || line == "stack:":
			section = line
		case isError && found == "" && strings.TrimSpace(rest) != "":
			section, found = "", strings.TrimSpace(rest)
		case section == "error:":
			section, found = "", cmp.Or(found, line)
		case section == "stack:":
			section = ""
			if place, ok := placeIn(line); ok {
				e.place = place
			}
		case first == "" && !strings.HasPrefix(line, "Error Trace:"):
			first = line
		}
	}
	e.text = cmp.Or(found, first)
	e.listed = true
}

// placeIn reads a path with a line, as in "/src/p/f_test.go:3", and returns it without the folders.
func placeIn(line string) (place string, ok bool) {
	at := callAt("", line)
	return line[strings.LastIndexAny(line, `/\`)+1:], at.Line > 0 && strings.HasSuffix(at.File, ".go")
}

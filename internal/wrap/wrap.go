// Package wrap breaks text into lines.
package wrap

import "strings"

// Lines breaks a text into lines of at most width bytes, between words. A longer word has a line of its own. There is at least one line,
// which may be empty.
func Lines(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

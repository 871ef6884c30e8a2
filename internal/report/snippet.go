package report

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// snippet is how many lines around that of a failure are shown.
const snippet = 1

// Excerpt returns the source line of a call of a finding, with a number of lines before and after it and without their common indentation,
// and the number of the first line. It returns no lines if the file does not exist, was changed after the finding was seen, or is not of the code
// under test.
func (o Options) Excerpt(r finding.Record, c finding.Call, around int) (text []string, first int) {
	file := filepath.FromSlash(c.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(o.Root, file)
	}
	if !o.mayShow(file) {
		return nil, 0
	}
	if o.Actual != nil {
		file = o.Actual(file)
	}
	if info, err := os.Stat(file); err != nil || info.ModTime().After(r.Last) {
		return nil, 0
	}
	all := strings.Split(textOf(file), "\n")
	if c.Line < 1 || c.Line > len(all) {
		return nil, 0
	}
	from, to := max(c.Line-around, 1), min(c.Line+around, len(all))
	return outdent(all[from-1 : to]), from
}

// outdent expands tabs and removes the indentation that all lines have.
func outdent(lines []string) []string {
	var text []string
	common := -1
	for _, line := range lines {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r")
		text = append(text, line)
		if indent := len(line) - len(strings.TrimLeft(line, " ")); line != "" && (common < 0 || indent < common) {
			common = indent
		}
	}
	for i, line := range text {
		if line != "" {
			text[i] = line[common:]
		}
	}
	return text
}

package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Output is where a renderer writes.
type Output struct {
	io.Writer
	// Terminal says that Writer is a terminal. The renderer then puts empty lines around findings, and escapes the control characters of
	// targets.
	Terminal bool
	Color    bool // write escape codes of colors to a terminal

	spaced bool // the last line is empty
}

// style is the style of text on a terminal with colors: the parameters of an escape code.
type style string

// The styles. They use the palette of the terminal, whose colors are legible on its background.
const (
	plain  style = ""
	bold   style = "1"
	faint  style = "2"
	red    style = "1;31"
	yellow style = "33"
)

func (o *Output) printf(s style, format string, args ...any) {
	o.print(s, fmt.Sprintf(format, args...))
}

// print writes lines of text.
func (o *Output) print(s style, text string) {
	if o.Terminal {
		text = o.paint(s, report.Escape(text))
	}
	o.spaced = false
	fmt.Fprint(o.Writer, text)
}

// paint returns text in a style. It styles each line separately. text must not contain escape codes.
func (o *Output) paint(s style, text string) string {
	if !o.Color || s == plain {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		content := strings.TrimSuffix(line, "\n")
		if content != "" {
			fmt.Fprintf(&b, "\x1b[%sm%s\x1b[m", s, content)
		}
		b.WriteString(line[len(content):])
	}
	return b.String()
}

// block writes a finding. On a terminal it writes empty lines around the finding, and highlights its first line and the line of the source
// that failed.
func (o *Output) block(text string) {
	if !o.Terminal {
		fmt.Fprint(o.Writer, text)
		return
	}
	var b strings.Builder
	if !o.spaced {
		b.WriteString("\n")
	}
	first := true
	for line := range strings.Lines(report.Escape(text)) {
		b.WriteString(o.paint(lineStyle(line, first), line))
		first = false
	}
	b.WriteString("\n")
	o.spaced = true
	fmt.Fprint(o.Writer, b.String())
}

// lineStyle returns the style of a line of a finding.
func lineStyle(line string, first bool) style {
	switch {
	case first && strings.HasPrefix(line, "finding "):
		return red
	case first:
		return yellow
	case strings.HasPrefix(line, "   > "):
		return bold
	case strings.HasPrefix(line, "     ") && strings.Contains(line, " | "):
		return faint
	}
	return plain
}

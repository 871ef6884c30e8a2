package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// clean returns text of a target as one line that does nothing to a terminal. limit is the number of columns that are left for it: of a
// longer text the rest is not looked at.
func clean(s string, limit int) string {
	runes := 0
	for i := range s {
		// A character may have marks that take no column of their own.
		if runes++; runes > 4*max(limit, 1) {
			s = s[:i]
			break
		}
	}
	return cut(strings.NewReplacer("\n", `\n`, "\t", " ").Replace(report.Escape(s)), limit)
}

// spaced returns text with spaces for its tabs: a tab in a frame has no width.
func spaced(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// cut shortens a line to a number of columns. Escape codes of colors stay as they are.
func cut(s string, width int) string { return ansi.Truncate(s, max(width, 0), "…") }

// pad fills a line with spaces to a number of columns, and cuts a longer one.
func pad(s string, width int) string {
	s = cut(s, width)
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

// padLeft is pad with the spaces in front.
func padLeft(s string, width int) string {
	s = cut(s, width)
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(s))) + s
}

// between puts two texts at the ends of a line. If they do not fit, the left one is cut.
func between(left, right string, width int) string {
	right = cut(right, width)
	return pad(left, max(0, width-ansi.StringWidth(right))) + right
}

// amount writes a number in at most five columns.
func amount(n int) string { return report.Amount(float64(n)) }

// brief writes a time with at most two units.
func brief(d time.Duration) string {
	d = max(0, d).Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h >= 24:
		return fmt.Sprintf("%dd%dh", h/24, h%24)
	case h > 0:
		return fmt.Sprintf("%dh%dm", h, m)
	case m > 0:
		return fmt.Sprintf("%dm%ds", m, s)
	}
	return fmt.Sprintf("%ds", s)
}

package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// oneLine replaces the characters that report.Escape keeps.
var oneLine = strings.NewReplacer("\n", `\n`, "\t", " ")

// clean returns text of a target as one line of at most limit columns, without control characters. It does not read the rest of a long
// text.
func clean(s string, limit int) string {
	runes := 0
	for i := range s {
		// A character may have marks that have no width.
		if runes++; runes > 4*max(limit, 1) {
			s = s[:i]
			break
		}
	}
	return cut(oneLine.Replace(report.Escape(s)), limit)
}

// spaced replaces tabs with spaces, because Bubble Tea draws a tab as nothing.
func spaced(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// cut shortens a line to a number of columns. It keeps escape codes.
func cut(s string, width int) string { return ansi.Truncate(s, max(width, 0), "…") }

// pad fills a line with spaces to a number of columns, and cuts a longer one.
func pad(s string, width int) string {
	s = cut(s, width)
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

// padLeft is pad with the spaces on the left.
func padLeft(s string, width int) string {
	s = cut(s, width)
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(s))) + s
}

// between returns a line with left at its beginning and right at its end. If both do not fit, it cuts left.
func between(left, right string, width int) string {
	right = cut(right, width)
	return pad(left, max(0, width-ansi.StringWidth(right))) + right
}

// amount formats a number in at most five columns.
func amount(n int) string { return report.Amount(float64(n)) }

// brief formats a time with at most two units.
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

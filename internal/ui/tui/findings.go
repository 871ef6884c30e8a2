package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// findingList draws the findings, the latest one first.
func (sc *scene) findingList() []string {
	head := fmt.Sprintf(" %-8s %-6s %s %s", "id", "", pad("target", sc.nameWidth()), "what fails")
	lines := []string{sc.styles.faint.Render(head)}
	list := sc.listedFindings()
	switch {
	case len(sc.Findings) == 0:
		return append(lines, " no finding yet")
	case len(list) == 0:
		return append(lines, " no finding passes the filter")
	}
	cursor := sc.cursor(list)
	rows := sc.body() - 1
	top := first(cursor, rows, len(list))
	for i := top; i < min(top+rows, len(list)); i++ {
		lines = append(lines, sc.findingRow(list[i], i == cursor))
	}
	if sc.Lost > 0 && len(lines) <= rows {
		lines = append(lines, fmt.Sprintf(" and %s before them; gnaw findings lists all", report.Plural(sc.Lost, "finding")))
	}
	return lines
}

func (sc *scene) findingRow(e event.Finding, selected bool) string {
	word := board.OutcomeOf(e)
	style := map[board.Outcome]lipgloss.Style{board.Bug: sc.styles.bad, board.Flaky: sc.styles.warn, board.Known: sc.styles.faint}[word]
	width := sc.nameWidth()
	rest := pad(clean(sc.name(board.TargetOf(e)), width), width) + " " + clean(e.Title(), sc.width-width-18)
	id := pad(clean(e.Short, 8), 8)
	if selected {
		return sc.styles.selected.Render(pad(">"+id+" "+pad(string(word), 6)+" "+rest, sc.width))
	}
	return " " + id + " " + style.Render(pad(string(word), 6)) + " " + rest
}

// nameWidth returns the width of the names of targets in the list of findings.
func (sc *scene) nameWidth() int { return sc.width * 3 / 8 }

// latestFindings returns the findings, the latest one first.
func (s *state) latestFindings() []event.Finding {
	list := slices.Clone(s.Findings)
	slices.Reverse(list)
	return list
}

// cursor returns the index of the selected finding in a list.
func (sc *scene) cursor(list []event.Finding) int {
	return max(0, slices.IndexFunc(list, func(e event.Finding) bool { return e.ID == sc.at.finding }))
}

// selected returns the selected finding. ok is false if there are no findings.
func (sc *scene) selected() (e event.Finding, ok bool) {
	list := sc.listedFindings()
	if len(list) == 0 {
		return e, false
	}
	return list[sc.cursor(list)], true
}

// findingPage draws the block of the selected finding, as in plain output.
func (sc *scene) findingPage() []string {
	e, ok := sc.selected()
	if !ok {
		return []string{" no finding is selected"}
	}
	if sc.at.blockOf != e.ID {
		return []string{" reading the sources of finding " + clean(e.Short, 20)}
	}
	lines := sc.wrapped()
	lines[0] = sc.styles.bad.Render(lines[0])
	lines = lines[min(sc.at.scroll, sc.deepest()):]
	for i, line := range lines {
		lines[i] = " " + line
	}
	return lines
}

// wrapped returns the text of the finding, wrapped to the width of the page.
func (sc *scene) wrapped() []string {
	return strings.Split(ansi.Wrap(strings.Join(sc.at.block, "\n"), sc.width-2, ""), "\n")
}

// deepest returns the largest number of lines of the finding that can be above the screen.
func (sc *scene) deepest() int { return max(0, len(sc.wrapped())-sc.body()) }

package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// maxFilter is the largest number of characters of a filter.
const maxFilter = 40

// filter returns the filter of the current list: a text that its lines contain, in upper or lower case.
func (p *place) filter() *string { return &p.filters[p.tab()] }

// canFilter reports whether the page shows a list.
func (p *place) canFilter() bool {
	return p.page == pageTargets || p.page == pageFindings || p.page == pageLog
}

// passes reports whether one of the texts of a line contains the filter of the current list.
func (p *place) passes(texts ...string) bool {
	filter := strings.ToLower(*p.filter())
	return filter == "" || slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), filter) })
}

// edit handles a key while the user types a filter.
func (sc controls) edit(name string) action {
	text := sc.at.filter()
	switch name {
	case "ctrl+c":
		return interrupt
	case "ctrl+z":
		return suspend
	case "enter":
		sc.at.typing = false
	case "esc":
		sc.at.typing, *text = false, ""
	case "backspace":
		_, n := utf8.DecodeLastRuneInString(*text)
		*text = (*text)[:len(*text)-n]
	case "up", "down", "pgup", "pgdown":
		sc.move(sc.steps()[name])
	case "space":
		name = " "
		fallthrough
	default:
		if utf8.RuneCountInString(name) == 1 && utf8.RuneCountInString(*text) < maxFilter {
			*text += name
			sc.at.up = 0
		}
	}
	return nothing
}

// listed returns the targets that pass the filter, in the order of the list.
func (sc *scene) listed() []*board.TargetState {
	return slices.DeleteFunc(sc.sorted(sc.at.sort, sc.at.reverse), func(t *board.TargetState) bool {
		return sc.at.filters[pageTargets] != "" && !sc.at.passes(sc.nameOf(t), string(sc.Phase(t)))
	})
}

// listedFindings returns the findings that pass the filter, the latest one first.
func (sc *scene) listedFindings() []event.Finding {
	return slices.DeleteFunc(sc.latestFindings(), func(e event.Finding) bool {
		return sc.at.filters[pageFindings] != "" && !sc.at.passes(sc.name(board.TargetOf(e)), e.ID, e.Title())
	})
}

// listedLog returns the lines of the log that pass the filter.
func (sc *scene) listedLog() []string {
	if sc.at.filters[pageLog] == "" {
		return sc.log
	}
	var list []string
	for _, line := range sc.log {
		text := line
		if strings.Contains(line, "\x1b") {
			text = ansi.Strip(line) // slow, and most lines have no escape codes
		}
		if sc.at.passes(text) {
			list = append(list, line)
		}
	}
	return list
}

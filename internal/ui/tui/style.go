package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"github.com/gnaw-fuzz/gnaw/internal/board"
)

// styles are the styles of text. No meaning depends on a color alone, because a terminal may have no colors.
type styles struct {
	head, faint, good, warn, bad, accent, selected lipgloss.Style
}

// newStyles returns the styles for a dark or a light background.
func newStyles(dark bool) styles {
	choose := lipgloss.LightDark(dark)
	in := func(light, dark string) lipgloss.Style {
		var c color.Color = choose(lipgloss.Color(light), lipgloss.Color(dark))
		return lipgloss.NewStyle().Foreground(c)
	}
	return styles{
		head:     lipgloss.NewStyle().Bold(true),
		faint:    in("243", "245"),
		good:     in("28", "114"),
		warn:     in("130", "221"),
		bad:      in("160", "203").Bold(true),
		accent:   in("25", "75"),
		selected: lipgloss.NewStyle().Reverse(true),
	}
}

// ofPhase returns the style of the name of a phase.
func (st styles) ofPhase(p board.Phase) lipgloss.Style {
	switch p {
	case board.Fuzzing:
		return st.good
	case board.Minimizing, board.Warming, board.Loading, board.Starting, board.Building:
		return st.accent
	case board.Aside, board.Fails:
		return st.bad
	case board.Skipped, board.Unreached:
		return st.warn
	}
	return st.faint
}

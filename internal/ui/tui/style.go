package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"
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
func (st styles) ofPhase(p phase) lipgloss.Style {
	switch p {
	case fuzzing:
		return st.good
	case minimizing, warming, loading, building:
		return st.accent
	case aside:
		return st.bad
	case skipped:
		return st.warn
	}
	return st.faint
}

package tui

// keysOf returns the most important keys of a page, for its last line.
func keysOf(p page) string {
	switch p {
	case pageFindings:
		return "↑↓ select  enter open  c copy command  / filter  tab page  ? help  ^C end"
	case pageLog:
		return "↑↓ scroll  end latest lines  / filter  tab next page  ? help  ^C end"
	case pageTarget:
		return "↑↓ next target  esc back  tab next page  ? help  ^C end"
	case pageFinding:
		return "↑↓ scroll  c copy command  esc back  ? help  ^C end"
	case pageHelp:
		return "esc back"
	}
	return "↑↓ select  enter open  s sort  / filter  tab next page  ? help  ^C end"
}

// help draws the page with all keys and all states of a target.
func (sc *scene) help() []string {
	lines := []string{" " + sc.styles.head.Render("Keys")}
	for _, k := range [][2]string{
		{"↑ ↓  k j", "select the next line, or scroll; PgUp PgDn Home End too"},
		{"enter", "open the selected target or finding"},
		{"esc  q", "back to the list"},
		{"tab  1 2 3", "the next page; targets, findings, log"},
		{"s S  r", "sort by the next or the previous column; reverse"},
		{"/", "show only lines with a text; esc removes the filter"},
		{"m", "use the mouse: wheel, click on a line, a second click opens it"},
		{"c", "copy the command that runs the finding again (OSC 52)"},
		{"^C  ^Z", "end the campaign, or at once if pressed twice; suspend gnaw"},
	} {
		lines = append(lines, "   "+pad(k[0], 12)+" "+k[1])
	}
	lines = append(lines, "", " "+sc.styles.head.Render("States of a target"))
	for _, p := range [][2]string{
		{"waiting", "it has had no turn yet"},
		{"building", "its test binary is being built"},
		{"loading", "gnaw reads its corpus; warming: gnaw executes it once"},
		{"fuzzing", "a worker fuzzes it; minimizing: it makes an input smaller"},
		{"paused", "other targets have their turn"},
		{"quiet", "no new edge is expected soon"},
		{"set aside", "gnaw cannot fuzz it; skipped: it calls f.Skip"},
	} {
		lines = append(lines, "   "+pad(p[0], 12)+" "+p[1])
	}
	return lines
}

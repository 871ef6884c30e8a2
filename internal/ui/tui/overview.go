package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/board"
)

// column is a column of the list of targets.
type column struct {
	title string
	width int  // 0: the rest of the line
	left  bool // aligned to the left: it has text, not numbers
	cell  func(s *state, t *board.TargetState) string
	// order compares two targets. It puts larger numbers first.
	order func(s *state, a, b *board.TargetState) int
}

// columns are the columns of the list of targets, without the sparkline.
var columns = []column{
	{title: "target", left: true, cell: func(s *state, t *board.TargetState) string { return s.nameOf(t) }, order: byIndex},
	{
		title: "state", width: 10, left: true,
		cell: func(s *state, t *board.TargetState) string { return string(s.Phase(t)) },
		order: func(s *state, a, b *board.TargetState) int {
			return cmp.Compare(slices.Index(board.Phases, s.Phase(a)), slices.Index(board.Phases, s.Phase(b)))
		},
	},
	{
		title: "execs/s", width: 7, cell: func(s *state, t *board.TargetState) string { return number(int(s.Rate(t))) },
		order: func(s *state, a, b *board.TargetState) int { return cmp.Compare(s.Rate(b), s.Rate(a)) },
	},
	{
		title: "edges", width: 6, cell: func(_ *state, t *board.TargetState) string { return number(t.Run.Edges) },
		order: func(_ *state, a, b *board.TargetState) int { return cmp.Compare(b.Run.Edges, a.Run.Edges) },
	},
	{
		title: "entries", width: 7, cell: func(_ *state, t *board.TargetState) string { return number(t.Run.Entries) },
		order: func(_ *state, a, b *board.TargetState) int { return cmp.Compare(b.Run.Entries, a.Run.Entries) },
	},
	{
		title: "bugs", width: 4, cell: func(_ *state, t *board.TargetState) string { return number(t.Bugs) },
		order: func(_ *state, a, b *board.TargetState) int { return cmp.Compare(b.Bugs, a.Bugs) },
	},
	{
		title: "share", width: 5, cell: func(s *state, t *board.TargetState) string { return percent(s.Share(t)) },
		order: func(s *state, a, b *board.TargetState) int { return cmp.Compare(s.Share(b), s.Share(a)) },
	},
}

func byIndex(_ *state, a, b *board.TargetState) int { return cmp.Compare(a.Index, b.Index) }

// number formats a number, and 0 as "-", which draws less attention.
func number(n int) string {
	if n == 0 {
		return "-"
	}
	return amount(n)
}

// percent formats a part from 0 to 1 in at most four columns.
func percent(part float64) string {
	switch {
	case part <= 0:
		return "-"
	case part < 0.01:
		return "<1%"
	}
	return fmt.Sprintf("%.0f%%", 100*part)
}

// sorted returns the targets in the order of a column.
func (s *state) sorted(column int, reverse bool) []*board.TargetState {
	list := slices.Clone(s.Targets)
	slices.SortFunc(list, func(a, b *board.TargetState) int {
		c := cmp.Or(columns[column].order(s, a, b), byIndex(s, a, b))
		if reverse {
			return -c
		}
		return c
	})
	return list
}

// Least widths of the name and the sparkline, and the width between two columns.
const (
	leastName  = 24
	leastSpark = 10
	gap        = 1
)

// widths returns the widths of the names and of the sparklines.
func (sc *scene) widths() (name, sparkline int) {
	rest := sc.width - 2
	for _, c := range columns[1:] {
		rest -= c.width + gap
	}
	rest -= gap
	longest := leastName
	for _, t := range sc.Targets {
		longest = max(longest, len(sc.nameOf(t)))
	}
	name = min(longest, rest-leastSpark)
	return name, rest - name
}

// overview draws the list of targets.
func (sc *scene) overview() []string {
	name, sparkline := sc.widths()
	lines := []string{sc.title(name)}
	list := sc.listed()
	switch {
	case len(sc.Targets) == 0:
		return append(lines, " no target yet")
	case len(list) == 0:
		return append(lines, " no target passes the filter")
	}
	cursor := sc.targetCursor(list)
	rows := sc.body() - 1
	top := first(cursor, rows, len(list))
	for i := top; i < min(top+rows, len(list)); i++ {
		lines = append(lines, sc.row(list[i], name, sparkline, i == cursor))
	}
	return lines
}

// first returns the index of the first visible line of a list. The list has n lines, and rows of them are visible. The cursor is in the middle,
// except near both ends.
func first(cursor, rows, n int) int { return max(0, min(cursor-rows/2, n-rows)) }

// title draws the titles of the columns, and underlines the one by which the list is sorted.
func (sc *scene) title(name int) string {
	var b strings.Builder
	b.WriteString(" ")
	for i, c := range columns {
		text, width := c.title, cmp.Or(c.width, name)
		if i > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		if c.left {
			text = pad(text, width)
		} else {
			text = padLeft(text, width)
		}
		if i == sc.at.sort {
			text = sc.styles.head.Underline(true).Render(text)
		} else {
			text = sc.styles.faint.Render(text)
		}
		b.WriteString(text)
	}
	b.WriteString(sc.styles.faint.Render(" new edges"))
	return b.String()
}

// row draws a target.
func (sc *scene) row(t *board.TargetState, name, sparkline int, selected bool) string {
	gains := t.Edges.Gains(sc.Now.Sub(sc.Origin), sparkline)
	if t.Edges.IsEmpty() {
		gains = nil
	}
	var b strings.Builder
	for i, c := range columns {
		width := cmp.Or(c.width, name)
		text := clean(c.cell(sc.state, t), width)
		if c.left {
			text = pad(text, width)
		} else {
			text = padLeft(text, width)
		}
		if i > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		switch {
		case selected:
		case c.title == "state":
			text = sc.styles.ofPhase(sc.Phase(t)).Render(text)
		case c.title == "bugs" && t.Bugs > 0:
			text = sc.styles.bad.Render(text)
		}
		b.WriteString(text)
	}
	line := spark(gains)
	if selected {
		return sc.styles.selected.Render(pad(">"+b.String()+" "+line, sc.width))
	}
	return " " + b.String() + " " + sc.styles.accent.Render(line)
}

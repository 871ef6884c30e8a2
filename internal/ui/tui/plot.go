package tui

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/board"
)

// bars are the characters of a sparkline, from the smallest value to the largest.
var bars = []rune("▁▂▃▄▅▆▇█")

// spark returns a sparkline: a dot for 0, and a higher bar for a larger value. The scale is logarithmic, because a campaign finds most of its
// edges at the beginning.
func spark(values []int) string {
	largest := 0
	for _, v := range values {
		largest = max(largest, v)
	}
	var b strings.Builder
	for _, v := range values {
		if v <= 0 {
			b.WriteRune('·')
			continue
		}
		part := math.Log1p(float64(v)) / math.Log1p(float64(largest))
		b.WriteRune(bars[int(math.Round(part*float64(len(bars)-1)))])
	}
	return b.String()
}

// braille has the bit of each dot of a braille character, by row and column.
var braille = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// curve draws points as a line from the left to the right, in height rows of width characters. The value 0 is at the bottom, and top at the
// top.
func curve(points []int, top, width, height int) []string {
	grid := make([][]rune, height)
	for y := range grid {
		grid[y] = []rune(strings.Repeat("\u2800", width))
	}
	dotsX, dotsY := 2*width, 4*height
	at := func(x int) int { // returns the row of dots, counted from the top
		v := points[x*len(points)/dotsX]
		return dotsY - 1 - v*(dotsY-1)/max(top, 1)
	}
	before := -1
	for x := range dotsX {
		if len(points) == 0 {
			break
		}
		y := min(max(at(x), 0), dotsY-1)
		from, to := y, y
		if before >= 0 { // a steep line has no gaps
			from, to = min(y, before), max(y, before)
		}
		for d := from; d <= to; d++ {
			grid[d/4][x/2] |= braille[d%4][x%2]
		}
		before = y
	}
	rows := make([]string, height)
	for y := range grid {
		rows[y] = string(grid[y])
	}
	return rows
}

// plot draws a number over time with its axes, in height rows of width characters.
func plot(s *board.Series, at time.Duration, width, height int) []string {
	points := s.Until(at)
	top := 1
	if len(points) > 0 {
		top = max(1, slices.Max(points))
	}
	label := amount(top)
	margin := max(len(label), 1) + 1
	rows := curve(points, top, max(1, width-margin-1), max(1, height-2))
	for y := range rows {
		head := ""
		switch y {
		case 0:
			head = label
		case len(rows) - 1:
			head = "0"
		}
		rows[y] = padLeft(head, margin-1) + " │" + rows[y]
	}
	axis := max(1, width-margin-1)
	end := brief(at)
	return append(rows, strings.Repeat(" ", margin)+"└"+strings.Repeat("─", axis),
		strings.Repeat(" ", margin+1)+"0s"+padLeft(end, axis-2))
}

package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// Sizes of a plot, in units of its view box.
const (
	plotWidth, plotHeight = 480, 250
	plotLeft, plotRight   = 52, 468 // of the area with lines
	plotTop, plotBottom   = 12, 222
	maxNamed              = 8 // lines with a color and a name
	maxLines              = 200
)

// plot is one drawing of the page.
type plot struct {
	Title, Summary string
	Lines          []line // those with a color first
	X, Y           []tick
	More           int // lines that are not drawn

	Width, Height, Left, Right, Top, Bottom int
}

// line is the line of one target.
type line struct {
	Name   string
	Class  string // color; "rest": the line has none
	Points string // as the attribute points of a polyline
	X, Y   string // of the last point
	Value  string // at the end
}

// tick is a number at an axis.
type tick struct {
	At   string
	Text string
}

// curve has the values of a line.
type curve struct {
	name, class string
	at          []float64 // seconds since fuzzing began
	values      []float64
}

// byEdges returns the targets, those with the most edges first. A target has the same color in each plot.
func (s *summary) byEdges() []target {
	list := slices.Clone(s.targets)
	slices.SortStableFunc(list, func(a, b target) int { return cmp.Compare(b.Run.Edges, a.Run.Edges) })
	return list
}

// newPlot draws a value of all targets over time. ok is false if no target has the value.
func (s *summary) newPlot(title string, value func(p store.Point) (v float64, ok bool)) (p plot, ok bool) {
	var curves []curve
	longest, highest := 1.0, 1.0
	for i, t := range s.byEdges() {
		c := curve{name: t.short(), class: "rest"}
		if i < maxNamed {
			c.class = fmt.Sprintf("s%d", i+1)
		}
		for _, point := range t.points {
			if v, ok := value(point); ok {
				at := max(0, point.At.Sub(s.began).Seconds())
				c.at, c.values = append(c.at, at), append(c.values, v)
				longest, highest = max(longest, at), max(highest, v)
			}
		}
		if len(c.at) > 0 {
			curves = append(curves, c)
		}
	}
	if len(curves) == 0 {
		return plot{}, false
	}
	p = plot{Title: title, Width: plotWidth, Height: plotHeight, Left: plotLeft, Right: plotRight, Top: plotTop, Bottom: plotBottom}
	p.More = max(0, len(curves)-maxLines)
	x := func(v float64) float64 { return plotLeft + (plotRight-plotLeft)*v/longest }
	top := ceiling(highest)
	y := func(v float64) float64 { return plotBottom - (plotBottom-plotTop)*v/top }
	for _, c := range curves[:min(maxLines, len(curves))] {
		l := line{Name: report.Escape(c.name), Class: c.class, Value: report.Amount(c.values[len(c.values)-1])}
		var points []string
		for j := range c.at {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(c.at[j]), y(c.values[j])))
		}
		l.Points = strings.Join(points, " ")
		l.X, l.Y, _ = strings.Cut(points[len(points)-1], ",")
		p.Lines = append(p.Lines, l)
	}
	for i := range 5 {
		v := top * float64(i) / 4
		p.Y = append(p.Y, tick{fmt.Sprintf("%.1f", y(v)), amount(v)})
	}
	for v, step := 0.0, timeStep(longest); v <= longest; v += step {
		p.X = append(p.X, tick{fmt.Sprintf("%.1f", x(v)), short(v)})
	}
	p.Summary = fmt.Sprintf("%s of %s over %s, up to %s", title, report.Plural(len(curves), "target"), short(longest), amount(highest))
	return p, true
}

// ceiling returns a round number of at least v. Its quarters are round too. v is at least 1.
func ceiling(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 4, 8} {
		if n := f * unit; n >= v {
			return max(n, 4)
		}
	}
	return 12 * unit
}

// timeStep returns the distance between two numbers at the axis of time, in seconds, so that there are at most six.
func timeStep(longest float64) float64 {
	steps := []float64{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 21600, 43200, 86400}
	for _, s := range steps {
		if longest/s <= 5 {
			return s
		}
	}
	const day = 86400
	return math.Ceil(longest/5/day) * day
}

// short formats a time in seconds with at most two units.
func short(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second)).Round(time.Second)
	switch h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60; {
	case h >= 48:
		return fmt.Sprintf("%gd", math.Round(10*d.Hours()/24)/10)
	case h > 0 && m > 0:
		return fmt.Sprintf("%dh%dm", h, m)
	case h > 0:
		return fmt.Sprintf("%dh", h)
	case m > 0 && s > 0:
		return fmt.Sprintf("%dm%ds", m, s)
	case m > 0:
		return fmt.Sprintf("%dm", m)
	}
	return d.String()
}

// amount formats a number at an axis.
func amount(v float64) string {
	if v < 1e4 && v != math.Trunc(v) {
		return fmt.Sprintf("%.1f", v)
	}
	return report.Amount(v)
}

// plots returns the plots of a campaign.
func (s *summary) plots() (list []plot) {
	for _, of := range []struct {
		title string
		value func(p store.Point) (float64, bool)
	}{
		{"Edges", func(p store.Point) (float64, bool) { return float64(p.Edges), true }},
		{"Entries", func(p store.Point) (float64, bool) { return float64(p.Entries), true }},
		{"Executions", func(p store.Point) (float64, bool) { return float64(p.Execs), true }},
		{"Covered statements", func(p store.Point) (float64, bool) { return float64(p.Covered), p.Statements > 0 }},
	} {
		if p, ok := s.newPlot(of.title, of.value); ok {
			list = append(list, p)
		}
	}
	return list
}

package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Least size of a terminal, in columns and lines.
const (
	leastWidth  = 80
	leastHeight = 24
)

// Fits reports whether a terminal of a size has room for the interface.
func Fits(width, height int) bool { return width >= leastWidth && height >= leastHeight }

// Numbers of lines above and below the body of a frame.
const (
	headLines = 4
	footLines = 1
)

// scene is all that a frame depends on: the state of the campaign, what the user looks at, and the terminal.
type scene struct {
	*state
	at     *place
	log    []string // the latest lines of plain output; only the page of the log has them
	builds string   // a line about the builds in progress; empty if there are none
	width  int
	height int
	styles styles
}

// body returns the number of lines between head and foot.
func (sc *scene) body() int { return max(1, sc.height-headLines-footLines) }

// view returns the lines of the frame. It has as many lines as the terminal, and no line is wider than the terminal.
func (sc *scene) view() []string {
	if !Fits(sc.width, sc.height) {
		text := fmt.Sprintf("gnaw needs a terminal of %d×%d; this one is %d×%d. ^C ends the campaign.", leastWidth, leastHeight, sc.width, sc.height)
		lines := strings.Split(ansi.Wrap(text, max(1, sc.width), ""), "\n")
		return lines[:min(len(lines), max(1, sc.height))]
	}
	lines := sc.head()
	lines = append(lines, fit(sc.page(), sc.body())...)
	lines = append(lines, sc.foot())
	for i, line := range lines {
		lines[i] = cut(line, sc.width)
	}
	return lines
}

// fit returns the first n lines. It adds empty lines if there are fewer.
func fit(lines []string, n int) []string {
	lines = lines[:min(n, len(lines))]
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines
}

// page draws the body of the frame.
func (sc *scene) page() []string {
	switch sc.at.page {
	case pageFindings:
		return sc.findingList()
	case pageLog:
		return sc.logLines()
	case pageTarget:
		return sc.targetPage()
	case pageFinding:
		return sc.findingPage()
	case pageHelp:
		return sc.help()
	}
	return sc.overview()
}

// head draws the lines about the whole campaign.
func (sc *scene) head() []string {
	title := " " + sc.styles.head.Render("gnaw fuzz") + "  " + clean(sc.module, sc.width/2)
	return []string{
		between(title, sc.progress()+" ", sc.width),
		" " + sc.numbers(),
		between(sc.tabs(), sc.news()+" ", sc.width),
		sc.styles.faint.Render(strings.Repeat("─", sc.width)),
	}
}

// progress returns how long the campaign has fuzzed, and how much time is left.
func (sc *scene) progress() string {
	switch {
	case sc.stopping:
		return sc.styles.warn.Render("stopping; ^C ends gnaw at once")
	case !sc.Started:
		return sc.styles.accent.Render("building")
	}
	style := sc.styles.good
	if sc.Doing() != board.Fuzzing {
		style = sc.styles.warn
	}
	text := style.Render(string(sc.Doing())) + " " + brief(sc.Elapsed())
	if left, ok := sc.Remaining(); ok {
		text += ", " + brief(left) + " left"
	}
	return text
}

// numbers returns the totals, or the builds in progress before there are totals. It leaves out the last totals if the terminal is narrow.
func (sc *scene) numbers() string {
	if !sc.Started && sc.builds != "" {
		return sc.styles.accent.Render(clean(sc.builds, sc.width-2))
	}
	sum := sc.Totals()
	findings := sc.styles.faint.Render("0 findings")
	if sum.Bugs > 0 {
		findings = sc.styles.bad.Render(report.Plural(sum.Bugs, "finding"))
	}
	if sum.Flaky > 0 {
		findings += fmt.Sprintf(", %d flaky", sum.Flaky)
	}
	parts := []string{
		fmt.Sprintf("%d of %s begun", sum.Begun, report.Plural(len(sc.Targets), "target")),
		amount(int(sum.Rate)) + "/s",
		report.Plural(sum.Edges, "edge"),
		findings,
		report.Plural(sum.Entries, "entry"),
		amount(int(sum.Execs)) + " execs",
	}
	if st := sc.Reached; st.Statements > 0 {
		parts = slices.Insert(parts, 3, fmt.Sprintf("%d of %s", st.Covered, report.Plural(st.Statements, "statement")))
	}
	if sc.Started {
		parts = append(parts, fmt.Sprintf("%d of %s busy", sum.Busy, report.Plural(sc.Start.Workers, "worker")))
	}
	line := ""
	for ; len(parts) > 0; parts = parts[:len(parts)-1] {
		if line = strings.Join(parts, "  "); ansi.StringWidth(line) < sc.width {
			break
		}
	}
	return line
}

// tabs returns the names of the pages, with the current one highlighted.
func (sc *scene) tabs() string {
	names := tabNames()
	for i, p := range []page{pageTargets, pageFindings, pageLog} {
		if sc.at.tab() == p {
			names[i] = sc.styles.selected.Render(names[i])
		} else {
			names[i] = sc.styles.faint.Render(names[i])
		}
	}
	return strings.Join(names, " ")
}

func tabNames() []string { return []string{" 1 targets ", " 2 findings ", " 3 log "} }

// tabEnds returns the columns behind the names of the pages.
func tabEnds() (ends []int) {
	end := 0
	for _, name := range tabNames() {
		end += len(name)
		ends = append(ends, end)
		end++ // the space between two names
	}
	return ends
}

// news returns a sparkline of the new edges, or the builds in progress while targets are fuzzed.
func (sc *scene) news() string {
	room := sc.width - 40
	if sc.Started && sc.builds != "" {
		return sc.styles.accent.Render(clean(sc.builds, room))
	}
	if sc.Edges.IsEmpty() {
		return ""
	}
	return sc.styles.faint.Render("new edges ") + sc.styles.accent.Render(spark(sc.Edges.Gains(sc.Now.Sub(sc.Origin), room-14)))
}

// foot draws the last line: a remark, a filter, or the keys of the page.
func (sc *scene) foot() string {
	keys := sc.styles.faint.Render(keysOf(sc.at.page))
	filter := clean(*sc.at.filter(), maxFilter)
	switch {
	case sc.at.remark != "":
		return " " + sc.styles.warn.Render(clean(sc.at.remark, sc.width-2))
	case sc.at.typing:
		return " " + sc.styles.head.Render("/"+filter) + sc.styles.selected.Render(" ") + sc.styles.faint.Render("  enter keep the filter  esc remove it")
	case filter != "" && sc.at.canFilter():
		return " " + sc.styles.head.Render("/"+filter) + sc.styles.faint.Render("  esc remove the filter  ") + keys
	}
	return " " + keys
}

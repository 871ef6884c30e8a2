package tui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// leastPlot is the least number of lines of a plot, including its axis.
const leastPlot = 6

// targetView draws the page of a target.
type targetView struct {
	*scene
	*board.TargetState
}

// targetPage draws the page of the selected target.
func (sc *scene) targetPage() []string {
	if t := sc.Find(sc.at.target); t != nil {
		return targetView{sc, t}.draw()
	}
	return []string{" no target is selected"}
}

// draw draws the page.
func (v targetView) draw() []string {
	sc, t := v.scene, v.TargetState
	shown := sc.Phase(t)
	what := sc.styles.ofPhase(shown).Render(v.doing())
	lines := []string{
		between(" "+sc.styles.head.Render(clean(sc.nameOf(t), sc.width-40)), what+" ", sc.width),
		" " + fmt.Sprintf("%s execs  %s/s  %s  %s  %s (%d new)  share %s",
			amount(int(t.Run.Execs)), amount(int(sc.Rate(t))), report.Plural(t.Run.Edges, "edge"), report.Plural(t.Run.Buckets, "bucket"),
			report.Plural(t.Run.Entries, "entry"), t.Run.New, percent(sc.Share(t))),
		" " + v.quality(),
	}
	lines = append(lines, v.techniques()...)
	lines = append(lines, "",
		" "+sc.styles.head.Render("edges over time"),
	)
	latest, notices := v.latest(), v.latestNotices()
	for _, line := range plot(&t.Edges, sc.Now.Sub(sc.Origin), sc.width-2, max(leastPlot, sc.body()/2-3)) {
		lines = append(lines, " "+line)
	}
	lines = append(lines, "")
	room := sc.body() - len(lines) - len(notices)
	lines = append(lines, latest[:min(len(latest), room)]...)
	return append(lines, notices...)
}

// quality returns the findings, the statements that entries reach, and how many executions repeat.
func (v targetView) quality() string {
	text := v.found()
	if r := v.TargetState.Reached; r.Statements > 0 {
		text += fmt.Sprintf("  %d of %s", r.Covered, report.Plural(r.Statements, "statement"))
	}
	if r := v.Run; r.Rerun > 0 {
		text += fmt.Sprintf("  %d%% of %d repetitions show the same", 100*r.Repeated/r.Rerun, r.Rerun) // 100 only if all do
	}
	return text
}

// maxTechniqueLines is the largest number of lines about techniques.
const maxTechniqueLines = 2

// techniques draws the gain of each technique. The technique with the most entries comes first.
func (v targetView) techniques() []string {
	if len(v.TargetState.Gains) == 0 {
		return nil
	}
	names := slices.Collect(maps.Keys(v.TargetState.Gains))
	slices.SortFunc(names, func(a, b string) int {
		x, y := v.TargetState.Gains[a], v.TargetState.Gains[b]
		return cmp.Or(cmp.Compare(y.Entries, x.Entries), cmp.Compare(y.Edges, x.Edges), cmp.Compare(a, b))
	})
	lines := []string{" new entries (and edges) by"}
	for _, name := range names {
		g := v.TargetState.Gains[name]
		part := fmt.Sprintf("  %s %d", cmp.Or(clean(name, 20), "other"), g.Entries)
		if g.Edges > 0 {
			part += fmt.Sprintf(" (%d)", g.Edges)
		}
		if last := &lines[len(lines)-1]; ansi.StringWidth(*last+part) < v.width {
			*last += part
		} else if lines = append(lines, part[1:]); len(lines) > maxTechniqueLines {
			return lines[:maxTechniqueLines]
		}
	}
	return lines
}

// doing describes the phase of the target.
func (v targetView) doing() string {
	sc, t := v.scene, v.TargetState
	p := sc.Phase(t)
	switch p {
	case board.Loading:
		return fmt.Sprintf("loading the corpus: %d of %d files", t.Loading.Done, t.Loading.Total)
	case board.Warming:
		return fmt.Sprintf("warming up: %d of %d entries", t.Run.WarmDone, t.Run.WarmTotal)
	case board.Aside, board.Skipped, board.Fails, board.Unreached:
		return clean(string(p)+": "+t.Reason(), sc.width/2)
	case board.Ended:
		return clean(string(p)+": "+string(t.Result()), sc.width/2)
	case board.Starting:
		return "starting: no process has reached F.Fuzz"
	case board.Building:
		return "building its test binary"
	case board.Waiting:
		return "waiting for its first turn"
	case board.Paused:
		return "paused until its next turn"
	case board.Quiet:
		return "quiet: no new edge is expected soon"
	}
	return string(p) + " with " + report.Plural(t.Workers, "worker")
}

// found returns the numbers of findings of the target.
func (v targetView) found() string {
	t := v.TargetState
	if t.Bugs+t.Flaky+t.Known == 0 {
		return v.styles.faint.Render("no findings")
	}
	text := report.Plural(t.Bugs, "finding")
	if t.Bugs > 0 {
		text = v.styles.bad.Render(text)
	}
	if t.Flaky > 0 {
		text += fmt.Sprintf(", %d flaky", t.Flaky)
	}
	if t.Known > 0 {
		text += fmt.Sprintf(", %d known", t.Known)
	}
	return text
}

// latest draws the latest entries.
func (v targetView) latest() []string {
	sc, t := v.scene, v.TargetState
	lines := []string{" " + sc.styles.head.Render("latest entries")}
	if len(t.Entries) == 0 {
		return append(lines, sc.styles.faint.Render(" none yet"))
	}
	for _, e := range t.Entries {
		what := fmt.Sprintf(" %6s ago  %s", brief(sc.Now.Sub(e.At)), gained(e))
		value, ok := sc.at.literals[e.Path]
		if !ok {
			value = fmt.Sprintf("%d bytes", e.Size)
		}
		lines = append(lines, sc.styles.faint.Render(pad(what, 34))+" "+clean(value, sc.width-36))
	}
	return lines
}

// gained returns the number of edges, or else of buckets, that an entry reached first.
func gained(e board.Entry) string {
	if e.Edges > 0 {
		return "+" + report.Plural(e.Edges, "edge")
	}
	return "+" + report.Plural(e.Buckets, "bucket")
}

// latestNotices draws the latest notices about a target.
func (v targetView) latestNotices() []string {
	sc, t := v.scene, v.TargetState
	const most = 3
	if len(t.Notices) == 0 {
		return nil
	}
	lines := []string{" " + sc.styles.head.Render("notices")}
	for _, text := range t.Notices[:min(most, len(t.Notices))] {
		lines = append(lines, " "+clean(text, sc.width-2))
	}
	return lines
}

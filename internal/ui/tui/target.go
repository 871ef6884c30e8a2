package tui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// leastPlot is the least number of lines of a plot, including its axis.
const leastPlot = 6

// targetView draws the page of a target.
type targetView struct {
	*scene
	*target
}

// targetPage draws the page of the selected target.
func (sc *scene) targetPage() []string {
	if t := sc.byName[sc.at.target]; t != nil {
		return targetView{sc, t}.draw()
	}
	return []string{" no target is selected"}
}

// draw draws the page.
func (v targetView) draw() []string {
	sc, t := v.scene, v.target
	shown := sc.shown(t)
	what := sc.styles.ofPhase(shown).Render(v.doing())
	lines := []string{
		between(" "+sc.styles.head.Render(clean(t.name, sc.width-40)), what+" ", sc.width),
		" " + fmt.Sprintf("%s execs  %s/s  %s  %s  %s (%d new)  share %s",
			amount(int(t.run.Execs)), amount(int(t.rate)), report.Plural(t.run.Edges, "edge"), report.Plural(t.run.Buckets, "bucket"),
			report.Plural(t.run.Entries, "entry"), t.run.New, percent(sc.share(t))),
		" " + v.quality(),
	}
	lines = append(lines, v.techniques()...)
	lines = append(lines, "",
		" "+sc.styles.head.Render("edges over time"),
	)
	latest, notices := v.latest(), v.latestNotices()
	for _, line := range plot(&t.edges, sc.now.Sub(sc.origin), sc.width-2, max(leastPlot, sc.body()/2-3)) {
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
	if r := v.reached; r.Statements > 0 {
		text += fmt.Sprintf("  %d of %s", r.Covered, report.Plural(r.Statements, "statement"))
	}
	if r := v.run; r.Rerun > 0 {
		text += fmt.Sprintf("  %d%% of %d repetitions show the same", 100*r.Repeated/r.Rerun, r.Rerun) // 100 only if all do
	}
	return text
}

// maxTechniqueLines is the largest number of lines about techniques.
const maxTechniqueLines = 2

// techniques draws the gain of each technique. The technique with the most entries comes first.
func (v targetView) techniques() []string {
	if len(v.gains) == 0 {
		return nil
	}
	names := slices.Collect(maps.Keys(v.gains))
	slices.SortFunc(names, func(a, b string) int {
		x, y := v.gains[a], v.gains[b]
		return cmp.Or(cmp.Compare(y.entries, x.entries), cmp.Compare(y.edges, x.edges), cmp.Compare(a, b))
	})
	lines := []string{" new entries (and edges) by"}
	for _, name := range names {
		g := v.gains[name]
		part := fmt.Sprintf("  %s %d", cmp.Or(clean(name, 20), "other"), g.entries)
		if g.edges > 0 {
			part += fmt.Sprintf(" (%d)", g.edges)
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
	sc, t := v.scene, v.target
	p := sc.shown(t)
	switch p {
	case loading:
		return fmt.Sprintf("loading the corpus: %d of %d files", t.loading.Done, t.loading.Total)
	case warming:
		return fmt.Sprintf("warming up: %d of %d entries", t.run.WarmDone, t.run.WarmTotal)
	case aside, skipped:
		return clean(p.String()+": "+t.reason, sc.width/2)
	case ended:
		return clean(p.String()+": "+string(t.result), sc.width/2)
	case waiting:
		return "waiting for its first turn"
	case paused:
		return "paused until its next turn"
	case quiet:
		return "quiet: no new edge is expected soon"
	}
	return p.String() + " with " + report.Plural(max(1, t.run.Workers), "worker")
}

// found returns the numbers of findings of the target.
func (v targetView) found() string {
	t := v.target
	if t.bugs+t.flaky+t.known == 0 {
		return v.styles.faint.Render("no findings")
	}
	text := report.Plural(t.bugs, "finding")
	if t.bugs > 0 {
		text = v.styles.bad.Render(text)
	}
	if t.flaky > 0 {
		text += fmt.Sprintf(", %d flaky", t.flaky)
	}
	if t.known > 0 {
		text += fmt.Sprintf(", %d known", t.known)
	}
	return text
}

// latest draws the latest entries.
func (v targetView) latest() []string {
	sc, t := v.scene, v.target
	lines := []string{" " + sc.styles.head.Render("latest entries")}
	if len(t.entries) == 0 {
		return append(lines, sc.styles.faint.Render(" none yet"))
	}
	for _, e := range t.entries {
		what := fmt.Sprintf(" %6s ago  %s", brief(sc.now.Sub(e.at)), gained(e))
		value, ok := sc.at.literals[e.Path]
		if !ok {
			value = fmt.Sprintf("%d bytes", e.Size)
		}
		lines = append(lines, sc.styles.faint.Render(pad(what, 34))+" "+clean(value, sc.width-36))
	}
	return lines
}

// gained returns the number of edges, or else of buckets, that an entry reached first.
func gained(e entry) string {
	if e.Edges > 0 {
		return "+" + report.Plural(e.Edges, "edge")
	}
	return "+" + report.Plural(e.Buckets, "bucket")
}

// latestNotices draws the latest notices about a target.
func (v targetView) latestNotices() []string {
	sc, t := v.scene, v.target
	const most = 3
	if len(t.notices) == 0 {
		return nil
	}
	lines := []string{" " + sc.styles.head.Render("notices")}
	for _, text := range t.notices[:min(most, len(t.notices))] {
		lines = append(lines, " "+clean(text, sc.width-2))
	}
	return lines
}

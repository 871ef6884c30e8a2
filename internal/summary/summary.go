// Package summary writes a report about a campaign of the history: as one HTML file without scripts and without references to other files, as
// Markdown for a ticket or the summary of a CI job, and for other programs as SARIF, as the XML of JUnit, as a Code Quality report of GitLab, and as
// annotations of GitHub Actions.
//
// Names, messages, outputs and inputs come from targets and may contain anything. A report shows them as text.
package summary

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// State is the state of a campaign.
type State string

// The states of a campaign.
const (
	Running State = "running"
	Ended   State = "ended"
	Killed  State = "killed"
)

// Options has the data of a report.
type Options struct {
	Campaign store.Summary
	State    State
	At       time.Time          // of the report
	Version  string             // of gnaw
	Root     string             // absolute folder of the module: paths and commands in the report are relative to it
	Prefix   string             // of the module in its git work tree, as in "sub/folder/"; empty: it is the root of one, or in none
	Points   []store.Point      // as [store.Reader.Points] returns them; a plot has all of them
	Progress []store.Progress   // of the targets that had a turn
	Results  []store.Result     // of the targets that the campaign chose, as [store.Reader.Results] returns them
	Frontier *frontier.Frontier // as [frontier.FindStored] finds it; nil: the history does not have the statements that inputs reach
	Changed  []string           // names of source files that are not in Frontier, because they were changed
	Findings []event.Finding    // that the campaign has seen. Their commands run in the root of the module
}

// summary is a campaign with the values that a report computes from its points and findings.
type summary struct {
	Options
	source   report.Options
	targets  []target
	missed   []missed        // targets that were not fuzzed
	failing  []missed        // targets and packages that fail in plain go test, and no finding is the reason
	findings []event.Finding // those that count first
	board    *board.State
	board.Totals
	began time.Time // when fuzzing began, as far as is known
}

// target is a target that the campaign has executed.
type target struct {
	*board.TargetState
	points []store.Point // at least one
}

// name returns the name of the function.
func (t target) name() string { return t.TargetState.Subject.Func }

// stability returns the share of executions of the drift check that showed the same features again, rounded down so that only all are 100 %.
func (t target) stability() string {
	if t.Run.Rerun == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", 100*t.Run.Repeated/t.Run.Rerun)
}

// short returns the name of a target with the last element of its package.
func (t target) short() string { return path.Base(t.Package) + "." + t.name() }

// edgeAt returns the time of the first point with the last number of edges.
func (t target) edgeAt() time.Time {
	if t.EdgeAt.IsZero() {
		return t.points[0].At // the only one
	}
	return t.EdgeAt
}

// newSummary groups the points by target and sorts the findings.
func newSummary(o Options) *summary {
	s := &summary{Options: o, source: report.Options{Root: o.Root, Dir: o.Root}, began: began(o)}
	s.board = board.Past(board.History{
		Campaign: o.Campaign, Running: o.State == Running, Points: o.Points, Results: o.Results, Progress: o.Progress, Findings: o.Findings,
	})
	s.Totals = s.board.Totals()
	points := map[*board.TargetState][]store.Point{}
	for _, p := range o.Points {
		t := s.board.Find(p.Target)
		points[t] = append(points[t], p)
	}
	for _, t := range s.board.Targets {
		if t.Run.Execs > 0 {
			s.targets = append(s.targets, target{t, points[t]})
		}
	}
	s.addResults()
	s.findings = slices.Clone(o.Findings)
	slices.SortStableFunc(s.findings, func(a, b event.Finding) int { return cmp.Compare(order(a), order(b)) })
	return s
}

// pointInterval is the longest time between the beginning of fuzzing and the first point of a campaign.
const pointInterval = 10 * time.Second

// began estimates when fuzzing began, because the history does not record when the first build ended: pointInterval before the first point, but
// not before the campaign.
func began(o Options) time.Time {
	at := o.Campaign.Start
	for i, p := range o.Points {
		if early := p.At.Add(-pointInterval); i == 0 || early.Before(at) {
			at = early
		}
	}
	if at.Before(o.Campaign.Start) {
		return o.Campaign.Start
	}
	return at
}

// order returns the rank of a finding in a report: bugs come first, then flaky and unproven findings, then known ones.
func order(f event.Finding) int {
	return slices.Index(board.Outcomes, board.OutcomeOf(f))
}

// status says whether a finding counts, in one word.
func status(f event.Finding) string {
	if what := board.OutcomeOf(f); what != board.Flaky || f.Flaky {
		return string(what)
	}
	return "unproven"
}

// where returns the file and line of a finding; empty: it is not known.
func (s *summary) where(f event.Finding) string {
	if place := s.source.Where(f.Record); place != "-" {
		return filepath.ToSlash(place)
	}
	return f.Place
}

// command returns the command of the campaign and the folder in which it was given, which is empty if it is not recorded.
func (s *summary) command() (command, dir string) {
	dir = s.Campaign.Dir
	if rel, err := filepath.Rel(s.Root, dir); err == nil && filepath.IsLocal(rel) {
		dir = filepath.ToSlash(rel)
	}
	return strings.TrimSpace("gnaw fuzz " + s.Campaign.Args), dir
}

// ended describes the state of the campaign.
func (s *summary) ended() string {
	c := s.Campaign
	switch {
	case s.State == Ended:
		return "ended " + stamp(c.Ended)
	case s.State == Running:
		return "running at " + stamp(s.At)
	case c.Seen.IsZero():
		return "killed before it fuzzed"
	}
	return "killed after " + stamp(c.Seen)
}

// totals lists the totals of the campaign.
func (s *summary) totals() string {
	statements := ""
	if t := s.board.Reached; t.Statements > 0 {
		statements = fmt.Sprintf(" %d of %s reached,", t.Covered, report.Plural(t.Statements, "statement"))
	}
	missed := ""
	if n := len(s.missed); n > 0 {
		missed = fmt.Sprintf(" (%d more not fuzzed)", n)
	}
	return fmt.Sprintf("%s%s, %s, %s, %s,%s %v of fuzzing", report.Plural(len(s.targets), "target"), missed, plural(s.Execs, "execution"),
		report.Plural(s.Edges, "edge"), report.Plural(s.Entries, "entry"), statements, s.board.Elapsed().Round(time.Second))
}

// plural is report.Plural for large numbers, which it abbreviates.
func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return report.Amount(float64(n)) + " " + what + "s"
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

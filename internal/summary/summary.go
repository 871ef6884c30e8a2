// Package summary writes a report about a campaign of the history: as one HTML file without scripts and without references to other files, or
// as Markdown for a ticket or the summary of a CI job.
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
	Points   []store.Point      // as [store.Store.Points] returns them; a plot has all of them
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
	findings []event.Finding // those that count first
	bugs     int             // the number of those that count
	execs    uint64
	edges    int
	entries  int
	spent    time.Duration // of fuzzing
	began    time.Time     // when fuzzing began, as far as is known
}

// target is a target that the campaign has executed.
type target struct {
	pkg, name string
	points    []store.Point // at least one
	bugs      int

	rerun, repeated int // as in store.Result
}

// last returns the last point of a target.
func (t target) last() store.Point { return t.points[len(t.points)-1] }

// stability returns the share of executions of the drift check that showed the same features again, rounded down so that only all are 100 %.
func (t target) stability() string {
	if t.rerun == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", 100*t.repeated/t.rerun)
}

// short returns the name of a target with the last element of its package.
func (t target) short() string { return path.Base(t.pkg) + "." + t.name }

// edgeAt returns the time of the first point with the last number of edges.
func (t target) edgeAt() time.Time {
	at := t.last().At
	for _, p := range slices.Backward(t.points) {
		if p.Edges != t.last().Edges {
			break
		}
		at = p.At
	}
	return at
}

// newSummary groups the points by target, sorts the findings, and adds up the totals.
func newSummary(o Options) *summary {
	s := &summary{Options: o, source: report.Options{Root: o.Root, Dir: o.Root}, spent: o.Campaign.Spent, began: began(o)}
	for i, p := range o.Points {
		if i == 0 || p.Package != o.Points[i-1].Package || p.Target != o.Points[i-1].Target {
			s.targets = append(s.targets, target{pkg: p.Package, name: p.Target})
		}
		t := &s.targets[len(s.targets)-1]
		t.points = append(t.points, p)
	}
	s.addResults()
	s.findings = slices.Clone(o.Findings)
	slices.SortStableFunc(s.findings, func(a, b event.Finding) int { return cmp.Compare(order(a), order(b)) })
	for i := range s.targets {
		t := &s.targets[i]
		for _, f := range s.findings {
			if f.IsBug() && f.Package == t.pkg && f.Target == t.name {
				t.bugs++
			}
		}
		last := t.last()
		s.execs, s.edges, s.entries = s.execs+last.Execs, s.edges+last.Edges, s.entries+last.Entries
	}
	for _, f := range s.findings {
		if f.IsBug() {
			s.bugs++
		}
	}
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
	switch {
	case f.IsBug():
		return 0
	case f.IsKnown():
		return 2
	}
	return 1
}

// status says whether a finding counts, in one word.
func status(f event.Finding) string {
	switch {
	case f.IsKnown():
		return "known"
	case f.Flaky:
		return "flaky"
	case !f.Counts():
		return "unproven"
	}
	return "bug"
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
	args := s.Campaign.Args
	if i := strings.LastIndex(args, " in "); i >= 0 && filepath.IsAbs(args[i+len(" in "):]) {
		args, dir = args[:i], args[i+len(" in "):]
	} else if rest, ok := strings.CutPrefix(args, "in "); ok && filepath.IsAbs(rest) {
		args, dir = "", rest
	}
	if rel, err := filepath.Rel(s.Root, dir); err == nil && filepath.IsLocal(rel) {
		dir = filepath.ToSlash(rel)
	}
	return strings.TrimSpace("gnaw fuzz " + args), dir
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
	if t := s.Campaign.Totals; t.Statements > 0 {
		statements = fmt.Sprintf(" %d of %s reached,", t.Covered, report.Plural(t.Statements, "statement"))
	}
	missed := ""
	if n := len(s.missed); n > 0 {
		missed = fmt.Sprintf(" (%d more not fuzzed)", n)
	}
	return fmt.Sprintf("%s%s, %s, %s, %s,%s %v of fuzzing", report.Plural(len(s.targets), "target"), missed, plural(s.execs, "execution"),
		report.Plural(s.edges, "edge"), report.Plural(s.entries, "entry"), statements, s.spent.Round(time.Second))
}

// plural is report.Plural for large numbers, which it abbreviates.
func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return report.Amount(float64(n)) + " " + what + "s"
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

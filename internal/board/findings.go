package board

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// maxFindings limits the latest findings that a state has.
const maxFindings = 1000

// Outcome says whether a finding counts.
type Outcome string

// The outcomes.
const (
	Bug   Outcome = "bug"   // it counts
	Flaky Outcome = "flaky" // it is flaky or unproven
	Known Outcome = "known" // it is in the list of known findings
)

// Outcomes are all outcomes. Findings that count come first.
var Outcomes = []Outcome{Bug, Flaky, Known}

// outcomes has the outcome of a finding by the result that it makes for its target.
var outcomes = map[event.Result]Outcome{event.Bug: Bug, event.Flaky: Flaky, event.KnownOnly: Known}

// OutcomeOf returns the outcome of a finding.
func OutcomeOf(e event.Finding) Outcome {
	switch {
	case e.IsKnown():
		return Known
	case !e.IsBug():
		return Flaky
	}
	return Bug
}

// Counts are numbers of findings by their outcome.
type Counts struct{ Bugs, Flaky, Known int }

// of returns the number of an outcome.
func (c *Counts) of(what Outcome) *int {
	switch what {
	case Known:
		return &c.Known
	case Flaky:
		return &c.Flaky
	}
	return &c.Bugs
}

// TargetOf returns the target that has shown a finding first.
func TargetOf(e event.Finding) event.Subject {
	return event.Subject{Package: e.Package, Folder: e.Folder, Func: e.Record.Target}
}

// finding adds a finding. It replaces an earlier one with the same ID, which was flaky, or which the campaign had before it was killed.
func (s *State) finding(e event.Finding) {
	if i := slices.IndexFunc(s.Findings, func(f event.Finding) bool { return f.ID == e.ID }); i >= 0 {
		s.count(s.Findings[i], -1)
		s.Findings = slices.Delete(s.Findings, i, i+1)
	}
	s.Findings = append(s.Findings, e)
	if len(s.Findings) > maxFindings {
		const n = maxFindings / 10 // many at once, because Delete moves all others
		s.Findings = slices.Delete(s.Findings, 0, n)
		s.Lost += n
	}
	s.count(e, 1)
}

// count adds n to the numbers that count a finding.
func (s *State) count(e event.Finding, n int) {
	what := OutcomeOf(e)
	*s.add(TargetOf(e)).Counts.of(what) += n
	*s.counts.of(what) += n
	s.Kinds[what][e.Kind.String()] += n
}

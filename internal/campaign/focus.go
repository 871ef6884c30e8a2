package campaign

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/focus"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// spots carries out -focus for a campaign. The methods of a nil *spots do nothing.
type spots struct {
	*focus.Plan
	campaign *Campaign
	mu       sync.Mutex // held while an input is noted and published, so that Left falls from event to event
}

// count returns the number of spots.
func (s *spots) count() int {
	if s == nil {
		return 0
	}
	return len(s.Spots())
}

// announce publishes which targets can reach the spots, if some targets cannot.
func (s *spots) announce() {
	if s == nil {
		return
	}
	var can []string
	for _, t := range s.campaign.targets {
		if s.Reaches(focused(t)) {
			can = append(can, s.campaign.Module.FolderFrom(s.campaign.Dir, t.name().Folder)+" "+t.Target.Func)
		}
	}
	others := len(s.campaign.targets) - len(can)
	if others == 0 {
		return
	}
	rest := "the other target cannot, and gets"
	if others > 1 {
		rest = fmt.Sprintf("the other %d targets cannot, and get", others)
	}
	s.campaign.Events.Publish(event.Notice{What: event.Focus, Text: fmt.Sprintf("-focus: %s may reach %s; %s only the smallest share of the time",
		enumerate(can), report.Plural(s.count(), "spot"), rest)})
}

// maxTargets limits the number of targets that a notice names.
const maxTargets = 5

// enumerate joins the names of targets, at most maxTargets of them.
func enumerate(names []string) string {
	if more := len(names) - maxTargets; more > 0 {
		return fmt.Sprintf("%s and %d more targets", strings.Join(names[:maxTargets], ", "), more)
	}
	return strings.Join(names, ", ")
}

// focused returns the form of a target in the plan of -focus.
func focused(t *target) focus.Root {
	return focus.Root{Name: t.Name, Dir: t.Dir}
}

// remoteFactor is the factor of a target that can reach no spot: so small that the target gets its minimum share only.
const remoteFactor = 1e-9

// factor returns the part of -focus in the factor of a target: remoteFactor if spots are left, and the target can reach none of them.
func (s *spots) factor(t *target) float64 {
	if s != nil && s.Left() > 0 && !s.Reaches(focused(t)) {
		return remoteFactor
	}
	return 1
}

// aim makes the engine of a target prefer the entries that come near to the spots, and publishes which entries reach them.
func (s *spots) aim(t *target, o *engine.Options, binary string) {
	if s == nil || !s.Reaches(focused(t)) {
		return
	}
	a, err := s.Read(binary)
	if err != nil {
		t.notice(event.Warning, fmt.Sprintf("-focus has no effect for this target, and fuzzing continues: %v", err))
		return
	}
	for _, text := range describeUnseen(a.Unseen(focused(t))) {
		t.notice(event.Warning, text)
	}
	o.Distance = a.Distance
	o.OnEntry = append(o.OnEntry, func(k engine.Kept) {
		e := focus.Entry{Target: focused(t), Args: k.Args, Features: k.Features, Path: k.Path, Given: k.Given}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.publish(t, e, a.Note(e), false)
	})
}

// describeUnseen returns one warning for each value of -focus that has spots without counters. In list, the spots of a value follow each other.
func describeUnseen(list []focus.Spot) (warnings []string) {
	for len(list) > 0 {
		first, n := list[0], 1
		for n < len(list) && list[n].Where == first.Where {
			n++
		}
		others := ""
		if n > 1 {
			others = " or " + report.Plural(n-1, "other spot")
		}
		warnings = append(warnings, fmt.Sprintf("-focus %s: the test binary has no counter that shows whether an input reaches line %d of %s%s; the code "+
			"is not instrumented, or the compiler has removed it", first.Where, first.Line, filepath.Base(first.File), others))
		list = list[n:]
	}
	return warnings
}

// failed notes that a finding of a target reaches the spots on the stack of the failure.
func (s *spots) failed(t *target, f *finding.Finding) {
	if s == nil {
		return
	}
	e := focus.Entry{Target: focused(t), Args: f.Input, Path: f.Path}
	if e.Path == "" {
		e.Path = f.Seed
	}
	var files []string
	var lines []int
	for _, c := range s.campaign.Module.Source(t.Package, t.Dir).Locate(f.Calls()) {
		files, lines = append(files, s.campaign.Module.Abs(c.File)), append(lines, c.Line)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.publish(t, e, s.Failed(e, files, lines), true)
}

// publish publishes that an input reaches spots. With -until=reached the last one ends the campaign. The caller holds the mutex.
func (s *spots) publish(t *target, e focus.Entry, reached []focus.Spot, fails bool) {
	c := s.campaign
	for i, spot := range reached {
		c.Events.Publish(event.SpotReached{
			Subject: t.name(), Spot: s.event(spot), Literals: literals(e.Args), Path: e.Path, Given: e.Given, Finding: fails,
			Left: s.Left() + len(reached) - 1 - i,
		})
	}
	if len(reached) == 0 || s.Left() > 0 {
		return
	}
	c.weighAll()
	if c.Limits.Reached {
		c.cancel()
	}
}

// event returns the form of a spot in events.
func (s *spots) event(spot focus.Spot) event.Spot {
	return event.Spot{Where: spot.Where, File: s.relative(spot.File), Line: spot.Line, Function: spot.Function}
}

// relative returns the path of a file in events.
func (s *spots) relative(file string) string {
	return report.Source{Root: s.campaign.Module.Root}.Relative(file)
}

// literals returns the arguments of an input as Go expressions.
func literals(a input.Args) []string { return report.Literals(string(input.Marshal(a))) }

// end publishes the result of each spot, and returns the number of spots that no input has reached.
func (s *spots) end() (left int) {
	if s == nil {
		return 0
	}
	for _, r := range s.Results() {
		e := event.SpotEnd{Spot: s.event(r.Spot), Reached: r.Reached, Finding: r.Finding}
		if !r.Reached {
			left++
		}
		if r.Entry != nil {
			for _, t := range s.campaign.targets {
				if focused(t) == r.Entry.Target {
					e.Subject = t.name()
				}
			}
			e.Literals, e.Path, e.Distance = literals(r.Entry.Args), r.Entry.Path, r.Distance
		}
		if r.Met.File != "" {
			e.Met = event.Condition{Text: r.Met.Text, File: s.relative(r.Met.File), Line: r.Met.Line}
		}
		s.campaign.Events.Publish(e)
	}
	return left
}

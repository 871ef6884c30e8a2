package summary

import (
	"fmt"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// missed is a target that was not fuzzed, or of which not all seeds were executed, or that fails in plain go test.
type missed struct {
	fuzz.Name // the target is empty if the package could not be loaded, or has an error of vet
	result    event.Result
	reason    string
}

// addResults finds the targets that were not fuzzed, or fail in plain go test, and the packages without targets.
func (s *summary) addResults() {
	for _, t := range s.board.Targets {
		m := missed{t.Subject.Target(), t.Result(), t.Reason()}
		switch s.board.Phase(t) {
		case board.Fails:
			s.failing = append(s.failing, m)
		case board.Skipped, board.Aside, board.Unreached:
			s.missed = append(s.missed, m)
		default:
			if t.Run.Execs == 0 && !t.HasResult() {
				s.missed = append(s.missed, m)
			}
		}
	}
	for _, r := range s.Results {
		if r.Target.Func != "" {
			continue
		}
		if m := (missed{r.Target, event.Result(r.Result), r.Reason}); m.result == event.Fails {
			s.failing = append(s.failing, m)
		} else {
			s.missed = append(s.missed, m)
		}
	}
	for i := range s.missed {
		if m := &s.missed[i]; m.result == event.Clean || m.reason == "" && m.result == event.Unreached {
			m.result, m.reason = event.Unreached, s.notYet(m.Name)
		}
	}
	byName := func(a, b missed) int { return a.Name.Compare(b.Name) }
	slices.SortFunc(s.missed, byName)
	slices.SortFunc(s.failing, byName)
}

// failed returns how many targets, or packages, were not fuzzed although they were to be: those that the user skips are not counted.
func (s *summary) failed() (n int) {
	for _, m := range s.missed {
		if m.result != event.Skip {
			n++
		}
	}
	return n
}

// headline says in a few words what the campaign has shown about a module. No bug in targets that were not fuzzed means nothing.
func (s *summary) headline(module string) string {
	switch n := s.failed(); {
	case n > 0 && len(s.targets) == 0:
		return fmt.Sprintf("nothing was fuzzed in %s", module)
	case n > 0:
		return fmt.Sprintf("%s in %s, and %s not fuzzed", report.Plural(s.Bugs, "bug"), module, report.Plural(n, "target"))
	}
	if n := len(s.failing); n > 0 {
		return fmt.Sprintf("%s in %s, and %s that fail in go test", report.Plural(s.Bugs, "bug"), module, report.Plural(n, "target"))
	}
	return fmt.Sprintf("%s in %s", report.Plural(s.Bugs, "bug"), module)
}

// without says that there are no findings.
func (s *summary) without() string {
	switch n := s.failed(); {
	case n > 0 && len(s.targets) == 0:
		return "Nothing was fuzzed. The reasons are below."
	case n > 0:
		return fmt.Sprintf("The campaign has no findings, and did not fuzz %s. The reasons are below.", report.Plural(n, "target"))
	}
	if len(s.failing) > 0 {
		return "The campaign has no findings, but go test fails. The reasons are below."
	}
	return "The campaign has no findings."
}

// notYet is the reason of a target without a result and without executions.
func (s *summary) notYet(name fuzz.Name) string {
	if !slices.ContainsFunc(s.Results, func(r store.Result) bool { return r.Target == name }) {
		return "the campaign did not record why" // an older gnaw has recorded it
	}
	if s.State == Running {
		return "the history has no execution of it yet"
	}
	return "the campaign was killed before it recorded an execution"
}

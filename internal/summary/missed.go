package summary

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// missed is a target that was not fuzzed, or of which not all seeds were executed.
type missed struct {
	store.Name // the target is empty if the package could not be loaded
	result     event.Result
	reason     string
}

// addResults gives the targets the numbers of their drift checks, and finds those that were not fuzzed. Targets that were never executed are
// removed from the targets: older campaigns have a point for each target.
func (s *summary) addResults() {
	list := slices.Clone(s.Results)
	s.targets = slices.DeleteFunc(s.targets, func(t target) bool {
		name := store.Name{Package: t.pkg, Target: t.name}
		never := t.last().Execs == 0
		if never && !slices.ContainsFunc(list, func(r store.Result) bool { return r.Name == name }) {
			list = append(list, store.Result{Name: name, Result: string(event.Unreached), Reason: "the campaign did not record why"})
		}
		return never
	})
	byName := map[store.Name]*target{}
	for i := range s.targets {
		t := &s.targets[i]
		byName[store.Name{Package: t.pkg, Target: t.name}] = t
	}
	for _, r := range list {
		t := byName[r.Name]
		if t != nil {
			t.rerun, t.repeated = r.Rerun, r.Repeated
		}
		switch result := event.Result(r.Result); {
		case result == event.Skip, result == event.Unusable, result == event.Unreached:
			s.missed = append(s.missed, missed{r.Name, result, r.Reason})
		case t == nil && result == "":
			s.missed = append(s.missed, missed{r.Name, event.Unreached, s.notYet()})
		}
	}
}

// notYet is the reason of a target without a result and without executions.
func (s *summary) notYet() string {
	if s.State == Running {
		return "the history has no execution of it yet"
	}
	return "the campaign was killed before it recorded an execution"
}

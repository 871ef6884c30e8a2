package text

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// maxSeeds is how many seeds of a target without a finding of their own are named without -v.
const maxSeeds = 5

// failingSeed is a seed with which a target fails.
type failingSeed struct {
	target event.Subject
	seed   string
}

// seedsWithout are the seeds that failed and that no finding names: each fails in the same way as another input.
type seedsWithout []failingSeed

// fails adds a seed that fails. Its finding, if it has one, comes later.
func (s *seedsWithout) fails(e event.SeedFailed) { *s = append(*s, failingSeed{e.Subject, e.Seed}) }

// found removes the seed that a finding names.
func (s *seedsWithout) found(e event.Finding) {
	*s = slices.DeleteFunc(*s, func(f failingSeed) bool {
		return f.seed == e.Seed && f.target.Func == e.Record.Target && f.target.Package == e.Package
	})
}

// seedsWithout writes a line for each target with seeds that failed without a finding of their own.
func (r *Renderer) seedsWithout() {
	var order []event.Subject
	names := map[event.Subject][]string{}
	for _, f := range r.seeds {
		if names[f.target] == nil {
			order = append(order, f.target)
		}
		names[f.target] = append(names[f.target], filepath.Base(filepath.FromSlash(f.seed)))
	}
	for _, target := range order {
		list, their, rest := names[target], "their", ""
		n := len(list)
		if n > maxSeeds && !r.Verbose {
			list, rest = list[:maxSeeds], fmt.Sprintf(" and %d more (-v names all)", n-maxSeeds)
		}
		if n == 1 {
			their = "its"
		}
		r.Out.printf(plain, "%s: %s failed without a finding of %s own: %s%s\n", r.name(target), report.Plural(n, "seed"), their, strings.Join(list, ", "), rest)
	}
}

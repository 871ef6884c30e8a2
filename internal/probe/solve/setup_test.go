package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// rig has a log and all that works on it, as a worker does.
type rig struct {
	Log
	Without technique.Set

	solver  Solver
	sums    Checksums
	descent Descent
}

// table returns a rig with the records in its log.
func table(records ...compare.Record) *rig {
	g := new(rig)
	g.Fill(records)
	return g
}

func (g *rig) Edits(a input.Args, yield func(e Edit) bool) {
	g.solver.Without = g.Without
	g.solver.Edits(&g.Log, a, yield)
}

func (g *rig) Random(r *mutate.Rand, a input.Args, maxLen int) bool {
	g.solver.Without = g.Without
	return g.solver.Random(&g.Log, r, a, maxLen)
}

func (g *rig) FindChecksums(a input.Args) {
	g.sums.Without = g.Without
	g.sums.Find(&g.Log, a)
}

func (g *rig) Candidates(records []compare.Record, a input.Args) []Candidate {
	g.sums.Without = g.Without
	return g.sums.Candidates(records, a)
}

func (g *rig) Descend(a input.Args, run func(a input.Args) ([]compare.Record, bool)) {
	g.descent.Without = g.Without
	g.descent.Descend(&g.Log, a, run)
}

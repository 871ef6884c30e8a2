package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// bench has a log and all that works on it, as a worker does.
type bench struct {
	Log
	Without technique.Set

	solver  Solver
	sums    Checksums
	descent Descent
}

// table returns a bench with the records in its log.
func table(records ...compare.Record) *bench {
	b := new(bench)
	b.Fill(records)
	return b
}

func (b *bench) Edits(a input.Args, yield func(e Edit) bool) {
	b.solver.Without = b.Without
	b.solver.Edits(&b.Log, a, yield)
}

func (b *bench) Random(r *mutate.Rand, a input.Args, maxLen int) bool {
	b.solver.Without = b.Without
	return b.solver.Random(&b.Log, r, a, maxLen)
}

func (b *bench) FindChecksums(a input.Args) {
	b.sums.Without = b.Without
	b.sums.Find(&b.Log, a)
}

func (b *bench) Candidates(records []compare.Record, a input.Args) []Candidate {
	b.sums.Without = b.Without
	return b.sums.Candidates(records, a)
}

func (b *bench) Descend(a input.Args, run func(a input.Args) ([]compare.Record, bool)) {
	b.descent.Without = b.Without
	b.descent.Descend(&b.Log, a, run)
}

package work

import (
	"math"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// repairIn: one in so many executions of an entry with checksums goes to mutants that are repaired, twice as many as long
	// as there are suggestions. Each of them costs several others: it is executed more than once, and one at a time.
	repairIn = 12
	// maxNested: checksums that are repaired in one mutant, one after the other.
	maxNested = 4
	// Repairs that bring less than one part in poorRepairs of what other mutants do for the same cost are made unluckyShare
	// times as rarely, once minWins entries came of those: what was taken for a checksum may be none. With a long log of
	// comparisons one repair takes as long as a dozen other mutants.
	poorRepairs  = 2
	unluckyShare = 32
	minWins      = 32
)

// luck is what executions of one sort have cost, and how many entries came of them.
type luck struct{ cost, wins uint64 }

// cost is what was spent since a moment: nanoseconds, or executions where no clock counts.
func (w *worker) cost(since time.Time, before uint64) uint64 {
	if w.setup.NoClock {
		return w.spent - before
	}
	return uint64(time.Since(since))
}

// unlucky reports whether repairs bring much less than other mutants do.
func (s *solver) unlucky() bool {
	return s.others.wins >= minWins &&
		poorRepairs*float64(s.repairs.wins)*float64(s.others.cost) < float64(s.others.wins)*float64(s.repairs.cost)
}

// allTried: all suggestions for an entry were tried with its checksums repaired.
const allTried = math.MaxUint64

// repair executes mutants of an entry that compares checksums, and writes into each the ones that it should have: as the
// comparisons tell, one after the other. Suggestions are for what comes behind the checksums, too.
//
// Suggestions that were tried before it was known that there are checksums are tried once more.
func (w *worker) repair(m wire.Fuzz) {
	s := &w.solver
	if s.repaired == nil || len(s.repaired) >= maxColored {
		s.repaired = map[uint64]uint64{}
	}
	if !m.Solve {
		if tried := s.repaired[m.ID]; tried != allTried {
			s.list(w.base, tried)
		}
		defer func() { s.edits, s.tried = s.edits[:0], m.Skip }()
	}
	w.repairMutants()
	s.repaired[m.ID] = s.tried
	if !s.busy() {
		s.repaired[m.ID] = allTried // there is no need to list them again
	}
}

func (w *worker) repairMutants() {
	s := &w.solver
	share := uint64(maxColoring)
	if w.limit > 0 {
		share = (w.limit - min(w.spent, w.limit)) / repairIn
	}
	if s.busy() {
		share *= 2
	}
	if s.unlucky() {
		share /= unluckyShare
	}
	before, begin := w.spent, time.Now()
	s.repairing = true
	defer func() {
		s.repairing = false
		s.repairs.cost += w.cost(begin, before)
	}()
	for end := w.spent + share; w.spent < end; {
		w.derive()
		s.keepMutant(w.args)
		for range maxNested + 1 {
			if !w.attempt(s.mutant, true) {
				return
			}
			if !s.table.Repair(s.log.Records(), s.mutant, w.growLimit()) {
				break
			}
		}
	}
}

// keepMutant copies a mutant out of the buffers in which the target gets it.
func (s *solver) keepMutant(a input.Args) {
	if len(s.mutant) != len(a) {
		s.mutant = a.Clone()
	}
	for i := range a {
		v := &s.mutant[i]
		v.Bits = a[i].Bits
		v.Data = append(v.Data[:0], a[i].Data...)
	}
}

// win counts a new entry.
func (s *solver) win() {
	switch {
	case s.repairing:
		s.repairs.wins++
	case !s.studying:
		s.others.wins++
	}
}

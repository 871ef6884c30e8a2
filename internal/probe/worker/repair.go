package worker

import (
	"math"
	"time"
)

const (
	// repairIn: 1/repairIn of the executions of an entry with checksums are of mutants that are repaired, and twice as many while
	// there are suggestions. Each of these mutants takes as long as several others: it is executed more than once, and not in a
	// burst.
	repairIn = 12
	// maxNested: checksums that are repaired in one mutant, one after the other.
	maxNested = 4
	// poorShare: if repairs are poor, they get 1/poorShare of that. With a long log of comparisons one repair takes as long as a
	// dozen other mutants.
	poorShare = 32
	// allTried: all suggestions for an entry were tried with its checksums repaired.
	allTried = math.MaxUint64
)

// repair executes mutants of an entry with checksums, and writes into each the values that its checksums are compared with, one
// after the other. It tries suggestions in this way too, also those that were tried before it was known that the entry has checksums:
// the target may compare the checksums first.
func (s *study) repair() bool {
	if !s.sums || s.failing[s.m.ID] {
		return true
	}
	if s.repaired == nil || len(s.repaired) >= maxRemembered {
		s.repaired = map[uint64]uint64{}
	}
	if !s.m.Solve {
		if tried := s.repaired[s.m.ID]; tried != allTried {
			s.list.fill(s.mut.base, tried)
		}
		defer func() { s.list.edits, s.list.tried = s.list.edits[:0], s.m.Skip }()
	}
	s.repairMutants()
	s.repaired[s.m.ID] = s.list.tried
	if !s.list.busy() {
		s.repaired[s.m.ID] = allTried // there is no need to list them again
	}
	return true
}

// repairMutants executes mutants, each until its checksums are right.
func (s *study) repairMutants() {
	share := uint64(maxColoring)
	if s.run.limit > 0 {
		share = s.run.left() / repairIn
	}
	if s.list.busy() {
		share *= 2
	}
	y := &s.feed.yields
	if y.poor() {
		share /= poorShare
	}
	before, begin := s.run.spent, time.Now()
	y.of = &y.repairs
	defer func() {
		y.of = nil
		y.repairs.cost += s.feed.cost(begin, before)
	}()
	for end := s.run.spent + share; s.run.spent < end; {
		s.mut.derive()
		s.copyMutant()
		for range maxNested + 1 {
			if !s.attempt(s.mutant, true) {
				return
			}
			if !s.checksums.Repair(s.run.log.Records(), s.mutant, s.mut.growLimit()) {
				break
			}
		}
	}
}

// copyMutant copies the mutant at hand out of the buffers in which the target gets it.
func (s *study) copyMutant() {
	if len(s.mutant) != len(s.run.args) {
		s.mutant = s.run.args.Clone()
	}
	load(s.mutant, s.run.args)
}

package engine

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Snapshot is the state of a target at one time: what events report, and what a campaign needs to share its time.
type Snapshot struct {
	event.Run
	Elapsed       time.Duration // for which the target was fuzzed
	Prepared      bool          // a worker has got to F.Fuzz, and the corpus is read
	NothingPasses bool          // no input of the warm-up has passed, nor has the zero value, and no mutant is in the corpus
	SeedsLeft     int           // inputs that the user gave and that were not executed yet
	Warmed        time.Duration // of Elapsed, since the warm-up was over; 0: it is not
	Verifying     time.Duration // of workers, that went into failures
	Checking      int           // workers that check a failure, or what an oracle reports
	Startup       time.Duration // how long the start of a worker takes
	SinceEdge     time.Duration // of Elapsed, without a new edge
	MaxLen        int           // current limit for the length of mutants
	Unjudged      int           // executions that were ended before it was known whether they fail
}

// Snapshot returns the state. It may be called from any goroutine that holds no lock.
func (s *state) Snapshot() Snapshot {
	_, lastEdge := s.entries.news()
	elapsed, warmed := s.meter.times()
	snapshot := Snapshot{
		Run: event.Run{
			Instrumented: s.entries.isInstrumented(),
			Minimizing:   s.ledger.isMinimizing(),
			Execs:        s.meter.show(s.pool.underway),
			New:          s.entries.newSaved(),
			Workers:      s.pool.workers(),
		},
		Elapsed:   elapsed,
		Prepared:  s.prepared.Load(),
		MaxLen:    s.lengths.current(),
		Startup:   s.pool.startTime(),
		SinceEdge: elapsed - lastEdge.at,
		Verifying: s.meter.timeVerifying(),
		Checking:  s.meter.countChecking(),
		Unjudged:  s.meter.countUnjudged(),
	}
	s.warmup.report(&snapshot)
	snapshot.Rerun, snapshot.Repeated = s.entries.reruns()
	snapshot.NothingPasses = snapshot.NothingPasses && s.entries.onlyFailing()
	snapshot.Entries = snapshot.WarmTotal + snapshot.New + s.entries.fromOthers()
	if snapshot.Prepared && !snapshot.WarmingUp {
		snapshot.Warmed = warmed
	}
	if s.Coverage != nil {
		snapshot.Edges, snapshot.Buckets = s.Coverage()
	}
	return snapshot
}

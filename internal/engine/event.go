package engine

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// Event is something that a run reports. The types below are all there are.
type Event interface{ event() }

// Warning is a sentence that the user should read; the run goes on.
type Warning struct{ Text string }

// Loading is the progress of reading the corpus cache.
type Loading struct{ Done, Total int }

// Started says that the corpus is loaded and the warm-up begins. Snapshot returns the state of the run at any time, to
// any goroutine.
type Started struct{ Snapshot func() Snapshot }

// WarmedUp says that every seed and cached entry was executed once.
type WarmedUp struct{ Snapshot Snapshot }

// SeedFailed says that an input which the user gave makes the target fail.
type SeedFailed struct{ Name string }

// NewEntry is an input that was added to the corpus and is on disk.
type NewEntry struct {
	Path    string
	Size    int
	Buckets int // new hit-count buckets
	Edges   int // counters that were not hit before
}

// Minimizing says that a failing input, which is on disk already, is made smaller.
type Minimizing struct{ Size int }

// GracePeriod says that a failure was found and the run goes on for so long, to find others.
type GracePeriod struct {
	For   time.Duration
	Again bool // whether it is not the first one
}

// Found is a failure with its final input.
type Found struct{ Finding *finding.Finding }

// Smaller is a failure that was found before, with a smaller input, that is minimized and replayed too.
type Smaller struct{ Finding *finding.Finding }

// UsedTooMuch is an input that needed more memory than the limit; the run goes on.
type UsedTooMuch struct{ Finding *finding.Finding }

// Restarted says that a worker was started again after something outside has killed it.
type Restarted struct{ Reason string }

func (Warning) event()     {}
func (Loading) event()     {}
func (Started) event()     {}
func (WarmedUp) event()    {}
func (SeedFailed) event()  {}
func (NewEntry) event()    {}
func (Minimizing) event()  {}
func (GracePeriod) event() {}
func (Found) event()       {}
func (Smaller) event()     {}
func (UsedTooMuch) event() {}
func (Restarted) event()   {}

// Snapshot is the state of a run at one time.
type Snapshot struct {
	Elapsed       time.Duration
	Instrumented  bool
	Prepared      bool // a worker has got to F.Fuzz, and the corpus is read
	WarmDone      int  // seeds and cached entries executed
	WarmTotal     int
	WarmingUp     bool
	NothingPasses bool // no input of the warm-up has passed, nor has the zero value, and no mutant is in the corpus
	SeedsLeft     int  // inputs that the user gave and that were not executed yet
	Minimizing    bool
	Execs         uint64
	Interesting   int           // new entries, all on disk
	Entries       int           // in the corpus
	Edges         int           // counters hit
	Buckets       int           // hit-count buckets seen
	Warmed        time.Duration // of Elapsed, since the warm-up was over; 0: it is not
	Verifying     time.Duration // of workers, that went into failures
	Startup       time.Duration // how long the start of a worker takes
	SinceEdge     time.Duration // of Elapsed, without a new edge
	Workers       int
	MaxLen        int // current limit for the length of mutants
}

// Snapshot returns the state. It may be called from any goroutine that holds no lock.
func (s *state) Snapshot() Snapshot {
	_, lastEdge := s.entries.news()
	elapsed, warmed := s.meter.times()
	snapshot := Snapshot{
		Elapsed:      elapsed,
		Instrumented: s.entries.isInstrumented(),
		Prepared:     s.prepared.Load(),
		Minimizing:   s.ledger.isMinimizing(),
		Execs:        s.meter.show(s.pool.underway),
		Interesting:  s.entries.newSaved(),
		Workers:      s.pool.workers(),
		MaxLen:       s.lengths.current(),
		Startup:      s.pool.startTime(),
		SinceEdge:    elapsed - lastEdge.at,
		Verifying:    s.meter.timeVerifying(),
	}
	s.warmup.report(&snapshot)
	snapshot.NothingPasses = snapshot.NothingPasses && s.entries.onlyFailing()
	snapshot.Entries = snapshot.WarmTotal + snapshot.Interesting + s.entries.fromOthers()
	if snapshot.Prepared && !snapshot.WarmingUp {
		snapshot.Warmed = warmed
	}
	if s.Coverage != nil {
		snapshot.Edges, snapshot.Buckets = s.Coverage()
	}
	return snapshot
}

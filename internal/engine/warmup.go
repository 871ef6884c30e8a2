package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/input"
)

// maxFailures is how many requests to mutate failing inputs may fail without one mutant that passes, before the target is
// taken to fail with every input. If each ends its process, they take about half a minute.
const maxFailures = 256

// warmEntry is an input that is executed once before fuzzing starts.
type warmEntry struct {
	name   string
	args   input.Args
	isSeed bool // given by the user: a failure is not written again
	isZero bool // made up because there was none: counts as found by fuzzing
	deep   bool // overflows firstStack
}

// warmup holds the inputs that are executed once before fuzzing starts, and those of them that fail.
type warmup struct {
	large atomic.Bool // the user knows that there are large inputs

	mu        sync.Mutex
	seeds     []Seed       // that the user gave
	waiting   []*warmEntry // for their first execution
	total     int          // how many there are; the zero value is not counted
	ended     int          // how many were executed
	done      int          // how many of these are reported
	seedsLeft int          // inputs that the user gave and that were not executed yet

	bases    []input.Args // seeds that passed and that boundary inputs are made of
	failed   []*warmEntry // inputs that failed
	zeroed   bool         // the zero value was tried because all inputs failed
	failures int          // requests to mutate failing inputs that failed
}

func newWarmup(opts *Options) *warmup { return &warmup{seeds: opts.Seeds} }

// setSeeds sets the inputs that the user gave.
func (w *warmup) setSeeds(seeds []Seed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seeds = seeds
}

// givenSeeds returns the inputs that the user gave.
func (w *warmup) givenSeeds() []Seed {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seeds
}

// add adds an input.
func (w *warmup) add(e *warmEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, e)
	if !e.isZero {
		w.total++
	}
	if e.isSeed {
		w.seedsLeft++
	}
}

// next takes the next input; nil: none may be executed yet. Seeds come first, and the others wait for the last one of them: what seeds do
// outside of their process is allowed to the others.
func (w *warmup) next() *warmEntry {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.waiting, func(e *warmEntry) bool { return e.isSeed })
	switch {
	case i < 0 && (w.seedsLeft > 0 || len(w.waiting) == 0):
		return nil
	case i < 0:
		i = 0
	}
	e := w.waiting[i]
	w.waiting = slices.Delete(w.waiting, i, i+1)
	return e
}

// postpone puts an input back that the end of the turn has cut short; nil is none.
func (w *warmup) postpone(e *warmEntry) {
	if e == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append([]*warmEntry{e}, w.waiting...)
}

// requeue puts an input behind all others because its process ended through no fault of the input; nil is none.
func (w *warmup) requeue(e *warmEntry) {
	if e == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, e)
}

// isEmpty reports whether no input waits.
func (w *warmup) isEmpty() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.waiting) == 0
}

// isLast notes that an input was executed and reports whether it is the last one. The caller calls finish when that is reported.
func (w *warmup) isLast() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended++
	return w.ended == w.total
}

// finish notes that an input is done with.
func (w *warmup) finish(e *warmEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	if e.isSeed {
		w.seedsLeft--
	}
}

// pass notes that an input has passed.
func (w *warmup) pass(e *warmEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.isSeed && len(w.bases) < maxBases && e.args.Size() <= maxBaseSize {
		w.bases = append(w.bases, e.args)
	}
}

// basesOfBoundary returns the seeds that boundary inputs are made of.
func (w *warmup) basesOfBoundary() []input.Args {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bases
}

// fail notes that an input has failed.
func (w *warmup) fail(e *warmEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = append(w.failed, e)
}

// isOver reports whether all inputs are done with.
func (w *warmup) isOver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done >= w.total
}

// report adds the progress to a snapshot.
func (w *warmup) report(s *Snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.WarmDone, s.WarmTotal, s.WarmingUp, s.SeedsLeft = w.done, w.total, w.done < w.total, w.seedsLeft
	s.NothingPasses = w.total > 0 && w.zeroed && len(w.waiting) == 0
}

// allFail reports whether so many requests to mutate failing inputs failed that all mutants are taken to fail.
func (w *warmup) allFail() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failures >= maxFailures
}

// tryZero reports whether the zero value is to be tried, which is done once.
func (w *warmup) tryZero() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := !w.zeroed
	w.zeroed = true
	return first
}

// takeFailed takes the inputs that have failed.
func (w *warmup) takeFailed() []*warmEntry {
	w.mu.Lock()
	defer w.mu.Unlock()
	failed := w.failed
	w.failed = nil
	return failed
}

// countFailure counts a request to mutate a failing input that has failed.
func (w *warmup) countFailure() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failures++
}

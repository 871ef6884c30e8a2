package engine

import (
	"errors"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

const (
	// burstTime is how long a request mutates one entry while new entries come in; quietTime when none came for a
	// second. A request costs about 50 µs of waiting, more when there are as many workers as cores.
	burstTime = 10 * time.Millisecond
	quietTime = 40 * time.Millisecond
	// burstLimit ends a burst of a target whose executions take long, but not before slowBurst mutants like the entry.
	burstLimit = 100 * time.Millisecond
	slowBurst  = 8
	// outlierBy: an entry that takes so many times as long as the mean execution is not worth the time of all others: until
	// no edge was new for outlierCalm it gets burstLimit. If it takes outlierTime, no comparison would be tried in that.
	outlierBy   = 8
	outlierTime = 10 * time.Millisecond
	outlierCalm = 10 * time.Second
	// minBurst, maxBurst: executions of one burst.
	minBurst = 64
	maxBurst = 1 << 16
	// trimExecs is how many executions a new entry may cost to be made smaller.
	trimExecs = 256
	// solveBurst: executions at least for an entry whose comparisons have not been tried.
	solveBurst = 4096 + 256
	// solveExecs: executions like that of the entry for which burstLimit does not end a request that tries its comparisons.
	// What comes before the first of them, the variants of the entry, takes up to a hundred; with a limit in time alone, an
	// entry of 5 ms never got beyond that.
	solveExecs = 256
	// studyIn: after all suggestions of an entry were tried, 1/studyIn of its requests record its comparisons again, for random
	// replacements and for tokens; docs/experiments/2026-11-22-not-built.md.
	studyIn = 3
	// solvable: for an entry that takes longer, the variants alone would take half a minute.
	solvable = 250 * time.Millisecond
	// minStudy: a shorter burst is not worth an execution to record comparisons.
	minStudy = 256
	// calm: when no edge was new for so long, entries without one are solved too, and those with one are trimmed to the bone.
	calm = time.Second
	// partners is how many entries, besides the one to mutate, are sent to a worker per request, for splicing.
	partners = 8
	// growAfter: without a new entry for so long, mutants may become a quarter longer.
	growAfter = 2 * time.Second
)

// requests has workers mutate entries. Its lock is taken after that of the turn.
type requests struct {
	*state
	drift    *drift
	verifier *verifier

	mu       sync.Mutex
	again    uint64          // number of requests for entries that were solved before
	solving  map[uint64]bool // entries of which a worker tries what they compare
	words    [][]byte        // what Words found; nil: not yet, or nothing
	searched bool            // Words need not be called again
}

func newRequests(s *state, d *drift, v *verifier) *requests {
	return &requests{state: s, drift: d, verifier: v, solving: map[uint64]bool{}}
}

// request is the task to mutate an entry.
type request struct {
	*requests
	entry  *schedule.Entry
	others []*schedule.Entry // to splice it with
	fuzz   wire.Fuzz
	slice  time.Duration // after which the request is ended; 0: it has only its executions
}

func (t *request) grant() uint64 { return t.fuzz.Execs }

func (t *request) wholeStack() bool { return false }

// giveBack lets other workers try what the entry compares.
func (t *request) giveBack() {
	if t.fuzz.Solve {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.solving, t.entry.ID)
	}
}

func (t *request) perform(s *slot) error {
	defer t.giveBack()
	if over, err := t.drift.check(s); over || err != nil {
		return err
	}
	t.sendWords(s)
	t.sendEntries(s)
	res, err := s.worker.Fuzz(t.turn.ctx, t.fuzz, t.slice, t.discovered)
	t.account(0, res.Execs, res.Nanos)
	t.noteSolved(res.Done, err)
	t.addGreedy(res.Greedy)
	if err != nil && !isContext(err) || res.Failed != nil { // an entry is not the reason that its turn ends
		t.noteFailure()
	}
	if err != nil {
		return t.verifier.lost(s, err, nil)
	}
	if res.Failed != nil {
		return t.verifier.failed(s, *res.Failed, nil)
	}
	return nil
}

// sendEntries sends the worker the entries of the request that it does not have.
func (t *request) sendEntries(s *slot) {
	for _, e := range append([]*schedule.Entry{t.entry}, t.others...) {
		if !s.worker.Knows(e.ID) {
			if err := s.worker.Add(e.ID, e.Args); err != nil {
				return // the process is gone, which the request will show
			}
		}
	}
}

// noteFailure has an entry picked less often whose mutants fail.
func (t *request) noteFailure() {
	t.entries.mutantFailed(t.entry.ID)
	if t.entries.isFailing(t.entry.ID) {
		t.warmup.countFailure()
	}
}

// noteSolved notes what was tried of the suggestions of the entry. If the process died, it goes on behind the one that it
// was trying; if it died before the first, one counts as tried, so that the next process does not die in the same way.
func (t *request) noteSolved(done wire.Done, err error) {
	if !t.fuzz.Solve {
		return
	}
	tried := done.Tried
	var exit *executor.Exit
	if errors.As(err, &exit) {
		tried = max(t.fuzz.Skip+1, exit.Tried)
	} else if err != nil && !isContext(err) {
		return
	}
	if tried != shm.Untried {
		t.entries.solved(t.entry.ID, tried, done.Solved)
	}
}

// addGreedy has the oracles look soon at an input that allocated much while its mutants were executed.
func (q *requests) addGreedy(packed []byte) {
	if len(packed) == 0 {
		return
	}
	if a, err := q.entries.decode(packed); err == nil { // otherwise as in discovered
		q.queue.addGreedy(a)
	}
}

// discovered takes over an input that shows something new.
func (q *requests) discovered(n wire.New) {
	a, err := q.entries.decode(n.Input)
	if err != nil {
		return // the worker is of the same version, so this cannot happen; a lost entry will be found again
	}
	e, isNew := q.entries.discover(a, n)
	if e == nil {
		return
	}
	if isNew {
		q.queue.add(a)
	}
	q.saver.save(e, len(n.Added), n.Maker)
}

// findWords has the words found that workers are sent before their next request.
func (q *requests) findWords() {
	q.mu.Lock()
	searched := q.searched
	q.mu.Unlock()
	if q.Words == nil || searched || q.Without.Has(technique.Dictionary) {
		return
	}
	words := q.Words(q.turn.ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.words, q.searched = words, q.turn.ctx.Err() == nil
}

// sendWords sends the worker of s the words, once they are found. A process that is gone shows in the request that follows.
func (q *requests) sendWords(s *slot) {
	q.mu.Lock()
	words := q.words
	q.mu.Unlock()
	if len(words) > 0 && !s.words {
		s.words = true
		_ = s.worker.SendWords(words)
	}
}

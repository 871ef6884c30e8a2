package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// burstTime is how long a worker shall be with one entry while new ones come in; quietTime when there was none for a
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
	// trimExecs is what a new entry may cost to be made smaller. engine brief: min(256 executions, 20 ms).
	trimExecs = 256
	// solveBurst: executions at least for an entry whose comparisons have not been tried.
	solveBurst = 4096 + 256
	// solveExecs: executions like that of the entry for which burstLimit does not end a request that tries its comparisons.
	// What comes before the first of them, the variants of the entry, takes up to a hundred; with a limit in time alone, an
	// entry of 5 ms never got beyond that.
	solveExecs = 256
	// studyIn: one request in so many records what an entry compares once more after all that was tried, for replacements at
	// random and for words. All requests did so before, and covered as much; docs/experiments/2026-11-22-not-built.md.
	studyIn = 3
	// solvable: for an entry that takes longer, the variants alone would take half a minute.
	solvable = 250 * time.Millisecond
	// minStudy: a shorter burst is not worth an execution to record comparisons.
	minStudy = 256
	// calm: when no edge was new for so long, entries without one are solved too.
	calm = time.Second
	// introductions: entries, besides the one to mutate, that a worker gets to know per request, for splicing.
	introductions = 8
	// minLen, hardLen: mutants are at most 256 bytes long at first, or as the largest seed and a quarter, and at most
	// 64 KiB unless a seed is longer. Short inputs execute faster and nearly always suffice to find new edges.
	minLen  = 256
	hardLen = 64 << 10
	// growAfter: without a new entry for so long, mutants may become a quarter longer.
	growAfter = 2 * time.Second
)

// task is what a worker does next: an input to execute once, or an entry to mutate.
type task struct {
	warm  *warmEntry
	exam  *examination
	entry *schedule.Entry
	meet  []*schedule.Entry // entries to get to know
	fuzz  wire.Fuzz
	slice time.Duration // after which the request is ended; 0: it has only its executions
	grant uint64        // executions promised
}

// serve has the worker of a slot do tasks until the run ends.
func (r *run) serve(s *slot) error {
	defer r.endWorker(s)
	for {
		t := r.next()
		if t == nil {
			return nil
		}
		stack := r.maxStack()
		if t.warm != nil && t.warm.deep {
			stack = 0
		}
		err := r.ensureWorker(r.ctx, s, stack)
		if err != nil {
			r.account(t.grant, 0, 0)
			r.postpone(t.warm)
		} else {
			err = r.perform(s, t)
		}
		r.release(t)
		if err != nil {
			return err
		}
	}
}

// next returns what a worker shall do, nil when the run ends. It waits while others have to finish something first.
func (r *run) next() *task {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if r.stopping {
			return nil
		}
		if t, wait := r.choose(); t != nil {
			r.granted += t.grant
			return t
		} else if !wait {
			r.stopping, r.exhausted = true, true
			r.cancel()
			r.changed.Broadcast()
			return nil
		}
		r.changed.Wait()
	}
}

// choose picks the next task. Without one, wait tells whether there may be one later.
func (r *run) choose() (t *task, wait bool) {
	left := uint64(1 << 62)
	if r.FuzzLimit > 0 {
		used := r.execs + r.granted
		if used >= r.FuzzLimit {
			if t := r.dueExamination(true); t != nil {
				return t, false
			}
			return nil, r.granted > 0 || r.closed
		}
		left = r.FuzzLimit - used
	}
	switch {
	case r.closed:
		return nil, true // the one who found it ends the run
	case len(r.warmup) > 0:
		return r.chooseWarm(), false
	case r.warmDone < r.warmTotal:
		return nil, true
	}
	if t := r.dueExamination(false); t != nil {
		return t, false
	}
	if r.desperate() {
		return r.revive(left), r.granted > 0 // otherwise there is no input that can be executed
	}
	return r.chooseEntry(left), false
}

// chooseEntry picks an entry and how long to mutate it.
func (r *run) chooseEntry(left uint64) *task {
	profile := r.chooseProfile()
	e := r.draw(profile)
	t := &task{entry: e, meet: []*schedule.Entry{e}}
	for range min(introductions, r.corpus.Len()-1) {
		t.meet = append(t.meet, r.corpus.Random())
	}
	t.grant = uint64(minBurst)
	burst := burstTime
	if r.since(r.lastEntry) > time.Second {
		burst = quietTime
	}
	if mean := r.meanTime(); mean > 0 { // the entry may be faster than that
		t.grant = uint64(burst / max(1, min(mean, e.Duration)))
	}
	t.grant = min(max(t.grant, minBurst), maxBurst)
	if r.FuzzLimit > 0 {
		t.grant = min(t.grant, max(1, left/uint64(r.Workers)))
	}
	if quiet := r.since(r.lastNew); quiet > growAfter && r.maxLen < hardLen {
		r.maxLen, r.lastNew = min(hardLen, r.maxLen+r.maxLen/4), r.now()
	}
	tried, unsolved := r.corpus.Unsolved(e.ID)
	unsolved = unsolved && !r.solving[e.ID] && r.worthSolving(e)
	if unsolved && r.FuzzLimit == 0 {
		t.grant = max(t.grant, solveBurst)
	}
	study := r.worthStudying(t, profile, unsolved)
	t.fuzz = wire.Fuzz{
		Study: study, Solve: study && unsolved, Skip: tried,
		ID: e.ID, Execs: t.grant, MaxLen: r.maxLen, RareLimit: r.corpus.RareLimit(),
		Trim:    (r.MinimizeTime > 0 || r.MinimizeLimit > 0) && !r.Without.Has(technique.Trim),
		Profile: profile,
	}
	if !r.Without.Has(technique.Reduce) {
		t.fuzz.Holds = r.corpus.Held(e.ID)
	}
	if t.fuzz.Solve {
		r.solving[e.ID] = true
	}
	t.slice = r.slice(t)
	return t
}

// release lets other workers try what the entry of the task compares.
func (r *run) release(t *task) {
	if t.fuzz.Solve {
		r.mu.Lock()
		delete(r.solving, t.entry.ID)
		r.mu.Unlock()
	}
}

// meanTime is how long an execution took until now; 0: there was none. The caller holds the mutex.
func (r *run) meanTime() time.Duration {
	if r.execs == 0 || r.nanos == 0 {
		return 0
	}
	return time.Duration(max(1, r.nanos/r.execs))
}

// isOutlier reports whether an entry takes much longer than others, so that time limits should not grow for it. The caller
// holds the mutex.
func (r *run) isOutlier(e *schedule.Entry) bool { return e.Duration > outlierBy*r.meanTime() }

// worthSolving reports whether what an entry compares should be tried now. An entry without a new edge differs from others in
// how often it goes through a loop: it waits until no edge is new. The caller holds the mutex.
func (r *run) worthSolving(e *schedule.Entry) bool {
	if e.Duration > solvable || e.Duration >= outlierTime && r.isOutlier(e) && r.sinceEdge() < outlierCalm {
		return false
	}
	return e.Edges > 0 || r.sinceEdge() >= calm || r.Without.Has(technique.Postpone)
}

// worthStudying reports whether the request of a task should record what its entry compares. The caller holds the mutex.
func (r *run) worthStudying(t *task, profile technique.Profile, unsolved bool) bool {
	switch e := t.entry; {
	case t.grant < minStudy, r.Without.Has(technique.Solve), r.standIns.ids[e.ID]: // a stand-in fails
		return false
	case unsolved, profile == technique.Words: // most mutants of that profile are made of what is recorded
		return true
	case e.Duration >= outlierTime && r.isOutlier(e):
		return false
	}
	r.again++
	return r.again%studyIn == 0
}

// slice is the time after which the request of a task is ended. The caller holds the mutex.
func (r *run) slice(t *task) time.Duration {
	switch {
	case r.Repeatable:
		return 0
	case r.isOutlier(t.entry) && !(t.fuzz.Solve && r.sinceEdge() >= outlierCalm):
		return burstLimit
	case t.fuzz.Solve:
		return max(burstLimit, solveExecs*t.entry.Duration)
	}
	return max(burstLimit, slowBurst*t.entry.Duration)
}

// perform has the worker of s do the task and reports what came of it.
func (r *run) perform(s *slot, t *task) error {
	defer r.account(t.grant, 0, 0) // not before it is known what came of it: without a grant, others may end the run
	if t.warm != nil {
		return r.performWarm(s, t)
	}
	if t.exam != nil {
		return r.examine(s, t.exam)
	}
	r.teach(s)
	for _, e := range t.meet {
		if !s.worker.Knows(e.ID) {
			if err := s.worker.Add(e.ID, e.Args); err != nil {
				break // the process is gone, which the request will show
			}
		}
	}
	gain := 0.0
	res, err := s.worker.Fuzz(r.ctx, t.fuzz, t.slice, func(n wire.New) {
		gain += gainOf(n)
		r.discovered(n)
	})
	r.account(0, res.Execs, res.Nanos)
	r.bookProfile(t, res, gain)
	r.noteSamples(t, res.Done)
	r.noteSolved(t, res.Done, err)
	r.suspectGreedy(res.Greedy)
	if err != nil || res.Failed != nil {
		r.noteFailure(t)
	}
	if err != nil {
		return r.lost(s, err, nil)
	}
	if res.Failed != nil {
		return r.failed(s, *res.Failed, nil)
	}
	return nil
}

// noteFailure has an entry picked less often whose mutants fail: in a run that keeps going they would do so for ever.
func (r *run) noteFailure(t *task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.corpus.Failed(t.entry.ID)
	if r.standIns.ids[t.entry.ID] {
		r.standIns.hopeless++
	}
}

// noteSamples books the rare features that mutants of the entry showed.
func (r *run) noteSamples(t *task, done wire.Done) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.corpus.Sampled(t.entry.ID, done.Execs, done.Rare)
}

// teach gives the worker of s the words, once they are there. A process that is gone shows in the request that follows.
func (r *run) teach(s *slot) {
	r.mu.Lock()
	words := r.words
	r.mu.Unlock()
	if len(words) > 0 && !s.taught {
		s.taught = true
		_ = s.worker.Teach(words)
	}
}

// noteSolved books what was tried of the suggestions of an entry. If the process died, it goes on behind the one that it
// was trying; if it died before the first, one counts as tried, so that the next process does not die in the same way.
func (r *run) noteSolved(t *task, done wire.Done, err error) {
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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.corpus.Solved(t.entry.ID, tried, done.Solved)
}

// account books executions.
func (r *run) account(granted, made, nanos uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.granted -= granted
	r.execs += made
	if r.Repeatable {
		nanos = made * uint64(nominal)
	}
	r.nanos += nanos
	if made > 0 {
		r.killed = 0
	}
	r.changed.Broadcast()
}

// addEntry gives an entry its number and adds it to the schedule. The caller holds the mutex.
func (r *run) addEntry(e *schedule.Entry) {
	r.nextID++
	e.ID = r.nextID
	r.corpus.Add(e)
	r.examineLater(e.Args)
}

// discovered takes over an input that shows something new.
func (r *run) discovered(n wire.New) {
	a, _, err := input.Decode(n.Input, r.Kinds)
	if err != nil {
		return // the worker is of the same version, so this cannot happen; a lost entry will be found again
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n.Edges > 0 {
		r.lastEdge, r.edgeExecs = r.elapsed(), r.execs
	}
	name := nameOf(a)
	if r.hashes[name] {
		return
	}
	r.hashes[name] = true
	e := &schedule.Entry{Args: a, Duration: r.duration(n.Nanos), Features: n.Features, Edges: n.Edges}
	r.nextID++
	e.ID = r.nextID
	if n.Replaces != 0 {
		r.corpus.Replace(n.Replaces, e)
	} else {
		r.lastNew = r.now()
		r.lastEntry = r.lastNew
		r.corpus.Add(e)
		r.examineLater(a)
	}
	r.saver.save(e, len(n.Added))
}

// lost deals with a worker that is gone: its last input is a finding if the target did it. warm is what it was warming
// up with, if it was.
func (r *run) lost(s *slot, err error, warm *warmEntry) error {
	worker := s.worker
	worker.Kill()
	r.dropWorker(s)
	var exit *executor.Exit
	if !errors.As(err, &exit) {
		return err
	}
	r.mu.Lock()
	r.execs += exit.Execs // else a target that ends its process again and again would be fuzzed for ever
	r.mu.Unlock()
	if exit.External && !exit.Hang {
		return r.lostToOutside(exit, warm)
	}
	if exit.Cause == shm.Lost {
		return fmt.Errorf("the fuzz target has closed the pipes between its process and gnaw; it must close no file that "+
			"it has not opened. It did so with one of the last inputs; this is the last one:\n%s", input.Marshal(exit.Input))
	}
	if exit.Code() == internalExitCode {
		return fmt.Errorf("fuzzing process exited unexpectedly due to an internal failure: %w\n%s", exit.Err, exit.Stderr)
	}
	if triage.Ours(exit.Stderr) {
		return r.mistaken(fmt.Sprintf("%v\n%s", exit, exit.Stderr), warm)
	}
	if exit.Input == nil {
		return exit
	}
	return r.died(s, exit, warm)
}

// mistaken deals with a failure of gnaw's own code in the process of the target, which is gone.
func (r *run) mistaken(what string, warm *warmEntry) error {
	return r.restart(fmt.Errorf("gnaw itself has failed in the process of the target, please report that: %s", what), warm)
}

// internalExitCode is what package testing exits with when a worker process fails outside of the target.
const internalExitCode = 70

// isContext reports whether err is the end of a context.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

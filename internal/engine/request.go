package engine

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
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
	// trimExecs is how many executions a new entry may cost to be made smaller.
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
	// calm: when no edge was new for so long, entries without one are solved too, and those with one are trimmed to the bone.
	calm = time.Second
	// introductions: entries, besides the one to mutate, that a worker gets to know per request, for splicing.
	introductions = 8
	// minLen, hardLen: mutants are at most 256 bytes long at first, or as the largest seed and a quarter, and at most
	// 64 KiB unless a seed is longer. Short inputs execute faster and nearly always suffice to find new edges.
	minLen  = 256
	hardLen = 64 << 10
	// growAfter: without a new entry for so long, mutants may become a quarter longer.
	growAfter = 2 * time.Second
	// longIn: one request in so many makes mutants of up to that length, the others of up to longBy times that of the entry, or
	// as the seeds are. One of 64 KiB takes the time of hundreds, and next to none is new:
	// docs/experiments/2026-11-23-long-mutants.md.
	longIn = 8
	longBy = 2
)

// chooseEntry picks an entry and how long to mutate it.
func (r *run) chooseEntry(left uint64) *task {
	e := r.corpus.Pick()
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
	study := r.worthStudying(t, unsolved)
	t.fuzz = wire.Fuzz{
		Study: study, Solve: study && unsolved, Skip: tried,
		ID: e.ID, Execs: t.grant, MaxLen: r.lengthLimit(e),
		Trim: r.trimDegree(),
	}
	if !r.Without.Has(technique.Reduce) {
		t.fuzz.Holds = r.corpus.Held(e.ID)
	}
	if t.fuzz.Solve {
		r.solving[e.ID] = true
	}
	if t.slice = r.slice(t); r.Repeatable { // no request is ended by the time it takes
		t.fuzz.Bytes, t.slice = uint64(t.slice/nominalByte), 0
	}
	return t
}

// lengthLimit is how long mutants of an entry may become in the next request. The caller holds the mutex.
func (r *run) lengthLimit(e *schedule.Entry) int {
	r.requests++
	if r.requests%longIn == 0 || r.Without.Has(technique.LengthLimit) {
		return r.maxLen
	}
	return min(r.maxLen, max(r.usualLen, longBy*e.Args.Size()))
}

// sinceEdge returns for how long no edge was new, by the clock of the run, the warm-up apart. The caller holds the mutex.
func (r *run) sinceEdge() time.Duration { return r.since(r.lastEdge) }

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
func (r *run) worthStudying(t *task, unsolved bool) bool {
	switch e := t.entry; {
	case t.grant < minStudy, r.Without.Has(technique.Solve), r.standIns.ids[e.ID]: // a stand-in fails
		return false
	case unsolved:
		return true
	case e.Duration >= outlierTime && r.isOutlier(e):
		return false
	}
	r.again++
	return r.again%studyIn == 0
}

// trimDegree says how small new entries should be made now. While edges are new, most new entries fail at the first thing that
// the target looks at: all that it would look at next could be removed, and who learns later what the first thing should be has
// nothing left to go on with. A run of few executions ends before it is calm, and its entries are small all the same. The
// caller holds the mutex.
func (r *run) trimDegree() wire.Trim {
	few := r.FuzzLimit > 0 && r.FuzzLimit <= uint64(calm/nominal)
	switch {
	case r.MinimizeTime == 0 && r.MinimizeLimit == 0, r.Without.Has(technique.Trim):
		return wire.TrimNothing
	case few, r.sinceEdge() >= calm, r.Without.Has(technique.Inherit):
		return wire.TrimAll
	}
	return wire.TrimGrown
}

// slice is the time, by the clock of the run, after which the request of a task is ended. The caller holds the mutex.
func (r *run) slice(t *task) time.Duration {
	switch {
	case r.isOutlier(t.entry) && !(t.fuzz.Solve && r.sinceEdge() >= outlierCalm):
		return burstLimit
	case t.fuzz.Solve:
		return max(burstLimit, solveExecs*t.entry.Duration)
	}
	return max(burstLimit, slowBurst*t.entry.Duration)
}

package engine

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// choose picks an entry and how long to mutate it. At most left executions are promised. It is called with the lock of the turn.
func (q *requests) choose(left uint64) task {
	q.mu.Lock()
	defer q.mu.Unlock()
	e, others := q.entries.pick(partners)
	q.imports.notePick()
	lastEntry, lastEdge := q.entries.news()
	b := burst{requests: q, entry: e, calm: q.meter.since(lastEdge), mean: q.meter.meanTime()}
	execs := b.execs(left, q.meter.since(lastEntry) > time.Second)
	grownAt, mayGrow := q.lengths.changed()
	if mayGrow && min(q.meter.since(lastEntry), q.meter.since(grownAt)) > growAfter {
		q.lengths.grow(q.meter.now())
	}
	tried, unsolved := q.entries.unsolved(e.ID)
	unsolved = unsolved && !q.solving[e.ID] && b.worthSolving()
	if unsolved && q.MaxExecs == 0 {
		execs = max(execs, solveBurst)
	}
	study := b.worthStudying(execs, unsolved)
	b.solve = study && unsolved
	t := &request{requests: q, entry: e, others: others, fuzz: wire.Fuzz{
		Study: study, Solve: b.solve, Skip: tried, ID: e.ID, Execs: execs, MaxLen: q.lengths.next(e), Trim: b.trimDegree(),
	}}
	if !q.Without.Has(technique.Reduce) {
		t.fuzz.Holds = q.entries.held(e.ID)
	}
	if b.solve {
		q.solving[e.ID] = true
	}
	if t.slice = b.slice(); q.Repeatable { // no request is ended by the time it takes
		t.fuzz.Bytes, t.slice = uint64(t.slice/nominalByte), 0
	}
	return t
}

// burst is the choice of what a request does. Its methods are called with the lock of the requests.
type burst struct {
	*requests
	entry *schedule.Entry
	calm  time.Duration // for how long no edge was new, by the clock of the run, without the warm-up
	mean  time.Duration // how long an execution has taken on average; 0: there was none
	solve bool          // what the entry compares is tried
}

// execs returns how many executions a request has; quiet says that no entry was new for a while.
func (b *burst) execs(left uint64, quiet bool) uint64 {
	execs, length := uint64(minBurst), burstTime
	if quiet {
		length = quietTime
	}
	if b.mean > 0 { // the entry may be faster than that
		execs = uint64(length / max(1, min(b.mean, b.entry.Duration)))
	}
	execs = min(max(execs, minBurst), maxBurst)
	if b.MaxExecs > 0 {
		execs = min(execs, max(1, left/uint64(b.pool.workers())))
	}
	return execs
}

// isOutlier reports whether the entry takes much longer than others, so that time limits should not grow for it.
func (b *burst) isOutlier() bool { return b.entry.Duration > outlierBy*b.mean }

// worthSolving reports whether what the entry compares should be tried now. An entry without a new edge differs from others in
// how often it goes through a loop: it waits until no edge is new.
func (b *burst) worthSolving() bool {
	e := b.entry
	if e.Duration > solvable || e.Duration >= outlierTime && b.isOutlier() && b.calm < outlierCalm {
		return false
	}
	return e.Edges > 0 || b.calm >= calm || b.Without.Has(technique.Postpone)
}

// worthStudying reports whether the request should record what the entry compares.
func (b *burst) worthStudying(execs uint64, unsolved bool) bool {
	switch e := b.entry; {
	case execs < minStudy, b.Without.Has(technique.Solve), b.entries.isFailing(e.ID): // the execution would fail
		return false
	case unsolved:
		return true
	case e.Duration >= outlierTime && b.isOutlier():
		return false
	}
	b.again++
	return b.again%studyIn == 0
}

// trimDegree says how small new entries should be made now. While edges are new, most new entries fail at the first check of the
// target: all bytes behind those of that check could be removed, and none would be left for the next check when the first is passed. A
// run of few executions ends before it is calm, and its entries are small all the same.
func (b *burst) trimDegree() wire.Trim {
	few := b.MaxExecs > 0 && b.MaxExecs <= uint64(calm/nominal)
	switch {
	case b.Minimize.Time == 0 && b.Minimize.Execs == 0, b.Without.Has(technique.Trim):
		return wire.TrimNothing
	case few, b.calm >= calm, b.Without.Has(technique.Inherit):
		return wire.TrimAll
	}
	return wire.TrimGrown
}

// slice returns the time, by the clock of the run, after which the request is ended.
func (b *burst) slice() time.Duration {
	switch {
	case b.isOutlier() && !(b.solve && b.calm >= outlierCalm):
		return burstLimit
	case b.solve:
		return max(burstLimit, solveExecs*b.entry.Duration)
	}
	return max(burstLimit, slowBurst*b.entry.Duration)
}

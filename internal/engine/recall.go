package engine

import (
	"fmt"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// What an execution leaves behind in its process, such as a full table or a cache, may change what all later ones do: they go
// other ways, or none. So entries are executed again from time to time.
const (
	// recallFirst is when a process is looked at for the first time. The time doubles up to recallLast as long as nothing is lost.
	recallFirst = 100 * time.Millisecond
	recallLast  = time.Minute
	// recallShare: of the time of a slot, at most one part in so many goes into looking at its processes and replacing them.
	recallShare = 10
	// recallSample is how many entries are executed, none of which takes longer than recallSlow.
	recallSample = 32
	recallSlow   = 5 * time.Millisecond
	// recallTimes: an entry is lost if it does not show what it did in so many executions, and shows it in as many of a fresh
	// process. One that shows it by chance does so with a probability of 1/64 at most.
	recallTimes = 3
	// recallCost is how many executions that takes at most.
	recallCost = 2 * recallTimes * recallSample
	// lostIn: a process is replaced if more than one in so many has lost something.
	lostIn = 10
)

// recall looks at whether entries still show in a worker what they have shown when they were new, if that is due. If too many
// do not, another process takes its place; if that does not help, no other one will in this run. It reports whether the worker is
// no more, or has judged a failure, so that the task at hand is not for it. The error is one that ends the run.
func (r *run) recall(s *slot) (over bool, err error) {
	sample, begin := r.dueForRecall(s)
	if len(sample) == 0 {
		return false, nil
	}
	defer r.account(recallCost, 0, 0) // what is not used
	defer r.spareRecall(s, begin)
	few := func(l []*schedule.Entry) bool { return len(l)*lostIn <= len(sample) }
	lost := sample
	for range recallTimes {
		if _, lost, over, err = r.look(s, lost); over || few(lost) {
			return over, err
		}
	}
	r.endWorker(s)
	if err := r.ensureInTurn(s, s.stack); err != nil {
		return true, err
	}
	shown := lost
	for range recallTimes {
		if shown, _, over, err = r.look(s, shown); over {
			return over, err
		}
		if few(shown) { // it is not the process
			r.mu.Lock()
			r.vain = true
			r.mu.Unlock()
			return false, nil
		}
	}
	r.warnOnce(&r.renewed, fmt.Sprintf("executions leave something behind that changes what later ones do: %d of %d inputs of the corpus "+
		"went other ways in a fuzzing process than in a fresh one; such processes are replaced", len(shown), len(sample)))
	return false, nil
}

// spareRecall puts the next look off as long as the one that began then has earned it.
func (r *run) spareRecall(s *slot, begin moment) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.recalled = r.now()
	s.recallAfter = max(s.recallAfter, (recallShare-1)*r.since(begin))
}

// dueForRecall returns the entries to execute again in a worker now; none if that is not due, or the run has not as many executions
// left. If there are some, recallCost executions are promised.
func (r *run) dueForRecall(s *slot) (sample []*schedule.Entry, begin moment) {
	r.mu.Lock()
	defer r.mu.Unlock()
	begin = r.now()
	s.recallAfter = max(s.recallAfter, recallFirst)
	if !r.instrumented || r.vain || r.Without.Has(technique.Renew) || r.since(s.recalled) < s.recallAfter {
		return nil, begin
	}
	if r.FuzzLimit > 0 && r.execs+r.granted+recallCost > r.FuzzLimit {
		return nil, begin
	}
	s.recalled, s.recallAfter = begin, min(2*s.recallAfter, recallLast)
	drawn := map[uint64]bool{}
	for range 2 * recallSample {
		e := r.corpus.Random()
		if e == nil || drawn[e.ID] || e.Duration > recallSlow || r.standIns.ids[e.ID] || len(r.corpus.Held(e.ID)) == 0 {
			continue
		}
		drawn[e.ID] = true
		if sample = append(sample, e); len(sample) == recallSample {
			break
		}
	}
	if len(sample) > 0 {
		r.granted += recallCost
	}
	return sample, begin
}

// look executes entries, and tells those that hit all counters that they are the best witnesses of from those that do not. What it
// executes may fail or end the process as any input may: then that is dealt with, and over is true.
func (r *run) look(s *slot, entries []*schedule.Entry) (shown, lost []*schedule.Entry, over bool, err error) {
	for _, e := range entries {
		r.mu.Lock()
		held := r.corpus.Held(e.ID)
		r.mu.Unlock()
		ran, err := s.worker.Run(r.ctx, e.Args, wire.Run{Show: held})
		if err != nil {
			return nil, nil, true, r.lost(s, err, nil)
		}
		r.account(0, max(ran.Execs, 1), ran.Nanos)
		switch {
		case ran.Failed:
			failed := wire.Failed{Input: input.Append(nil, e.Args), Output: ran.Output, Logged: ran.Logged}
			return nil, nil, true, r.failed(s, failed, nil)
		case ran.Lost:
			lost = append(lost, e)
		default:
			shown = append(shown, e)
		}
	}
	return shown, lost, false, nil
}

package engine

import (
	"fmt"
	"time"

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
	// recallSample is how many entries are executed, none of which takes longer than recallSlow.
	recallSample = 32
	recallSlow   = 5 * time.Millisecond
	// recallCost is how many executions that takes at most: lost entries are executed once more, and in another process.
	recallCost = 3 * recallSample
	// lostIn: a process is replaced if more than one in so many has lost something.
	lostIn = 10
)

// recall looks at whether entries still show in a worker what they have shown when they were new, if that is due. If too many
// do not, another process takes its place. The error is that of a process that is gone, or, if the slot has no worker any more,
// that of the start of another one.
func (r *run) recall(s *slot) error {
	sample := r.dueForRecall(s)
	if len(sample) == 0 {
		return nil
	}
	defer r.account(recallCost, 0, 0) // what is not used
	lost, err := r.lostOf(s, sample)
	if err != nil || len(lost)*lostIn <= len(sample) {
		return err
	}
	if lost, err = r.lostOf(s, lost); err != nil || len(lost)*lostIn <= len(sample) { // what comes and goes is not lost
		return err
	}
	r.endWorker(s)
	if err := r.ensureWorker(r.ctx, s, s.stack); err != nil {
		return err
	}
	still, err := r.lostOf(s, lost)
	if err != nil || len(still) == len(lost) { // it is not the process
		return err
	}
	s.recallAfter = recallFirst
	r.mu.Lock()
	first := !r.renewed
	r.renewed = true
	r.mu.Unlock()
	if first {
		r.emit(Warning{fmt.Sprintf("executions leave something behind that changes what later ones do: %d of %d inputs of the corpus "+
			"went other ways in a fuzzing process than in a fresh one; such processes are replaced", len(lost), len(sample))})
	}
	return nil
}

// dueForRecall returns the entries to execute again in a worker now; none if that is not due, or the run has not as many executions
// left. If there are some, recallCost executions are promised.
func (r *run) dueForRecall(s *slot) (sample []*schedule.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.recallAfter = max(s.recallAfter, recallFirst)
	if !r.instrumented || r.Without.Has(technique.Renew) || r.since(s.recalled) < s.recallAfter {
		return nil
	}
	if r.FuzzLimit > 0 && r.execs+r.granted+recallCost > r.FuzzLimit {
		return nil
	}
	s.recalled, s.recallAfter = r.now(), min(2*s.recallAfter, recallLast)
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
	return sample
}

// lostOf executes entries and returns those that do not hit all counters that they are the best witnesses of.
func (r *run) lostOf(s *slot, entries []*schedule.Entry) (lost []*schedule.Entry, err error) {
	for _, e := range entries {
		r.mu.Lock()
		held := r.corpus.Held(e.ID)
		r.mu.Unlock()
		ran, err := s.worker.Run(r.ctx, e.Args, wire.Run{Show: held})
		if err != nil {
			return nil, err
		}
		r.account(0, max(ran.Execs, 1), ran.Nanos)
		if ran.Lost || ran.Failed {
			lost = append(lost, e)
		}
	}
	return lost, nil
}

package engine

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// What an execution leaves behind in its process, such as a full table or a cache, may change what all later ones do: the process
// drifts. So entries are executed again from time to time.
const (
	// driftFirst is when a process is checked for the first time. The time doubles up to driftLast as long as nothing is lost.
	driftFirst = 100 * time.Millisecond
	driftLast  = time.Minute
	// driftShare: at most 1/driftShare of the time of a slot goes into checking and replacing its processes.
	driftShare = 10
	// driftSample is how many entries are executed, none of which takes longer than driftSlow.
	driftSample = 32
	driftSlow   = 5 * time.Millisecond
	// driftTimes: an entry is lost if none of driftTimes executions shows its features, and each of driftTimes executions in a
	// fresh process does. By chance that happens with a probability of 1/64 at most.
	driftTimes = 3
	// driftCost is how many executions that takes at most.
	driftCost = 2 * driftTimes * driftSample
	// lostIn: a process is replaced if more than 1/lostIn of the entries are lost.
	lostIn = 10
)

// drift checks whether entries still show in a worker what they have shown when they were new.
type drift struct {
	*state
	verifier *verifier

	useless  atomic.Bool // a worker was replaced, and that did not help
	reported atomic.Bool // the user knows that workers are replaced
}

// check checks the worker of s, if that is due. If too many entries have lost something, another process takes its place; if that does
// not help, no other one is replaced in this run. It reports whether the worker is no more, or has verified a failure, so that the task
// that it has is not for it. The error is one that ends the run.
func (d *drift) check(s *slot) (over bool, err error) {
	begin := d.meter.now()
	sample := d.due(s, begin)
	if len(sample) == 0 {
		return false, nil
	}
	defer d.account(driftCost, 0, 0) // what is not used
	defer d.putOff(s, begin)
	few := func(l []*schedule.Entry) bool { return len(l)*lostIn <= len(sample) }
	lost := sample
	for i := range driftTimes {
		shown, missed, over, err := d.rerun(s, lost)
		if over {
			return over, err
		}
		if i == 0 {
			d.entries.countRerun(len(shown), len(missed))
		}
		if lost = missed; few(lost) {
			return false, nil
		}
	}
	d.pool.end(s)
	if err := d.pool.ensureInTurn(s, s.stack); err != nil {
		return true, err
	}
	shown := lost
	for range driftTimes {
		if shown, _, over, err = d.rerun(s, shown); over {
			return over, err
		}
		if few(shown) { // it is not the process
			d.useless.Store(true)
			return false, nil
		}
	}
	d.events.warnOnce(&d.reported, fmt.Sprintf("executions change the behavior of later ones: %d of %d inputs of the corpus took another path in a "+
		"fuzzing process than in a fresh one; gnaw replaces such processes", len(shown), len(sample)))
	return false, nil
}

// due returns the entries to execute again in a worker now; none if that is not due, or the run has not as many executions left. If
// there are some, driftCost executions are promised.
func (d *drift) due(s *slot, now timestamp) []*schedule.Entry {
	s.checkAfter = max(s.checkAfter, driftFirst)
	if left, _ := d.meter.left(); left < driftCost {
		return nil
	}
	if d.useless.Load() || d.Without.Has(technique.Renew) || d.meter.since(s.checked) < s.checkAfter ||
		!d.entries.isInstrumented() {
		return nil
	}
	s.checked, s.checkAfter = now, min(2*s.checkAfter, driftLast)
	sample := d.entries.random(driftSample)
	if len(sample) == 0 || !d.turn.grant(driftCost) {
		return nil
	}
	return sample
}

// putOff puts the next check off as long as the one that began then has earned it.
func (d *drift) putOff(s *slot, begin timestamp) {
	s.checked = d.meter.now()
	s.checkAfter = max(s.checkAfter, (driftShare-1)*d.meter.since(begin))
}

// rerun executes entries, and separates those that hit all counters that they are kept for from those that do not. What it executes
// may fail or end the process as any input may: then that is dealt with, and over is true.
func (d *drift) rerun(s *slot, entries []*schedule.Entry) (shown, lost []*schedule.Entry, over bool, err error) {
	for _, e := range entries {
		ran, err := s.worker.Run(d.turn.ctx, e.Args, wire.Run{Show: d.entries.held(e.ID)})
		if err != nil {
			return nil, nil, true, d.verifier.lost(s, err, nil)
		}
		d.account(0, max(ran.Execs, 1), ran.Nanos)
		switch {
		case ran.Failed:
			failed := wire.Failed{Input: input.Append(nil, e.Args), Output: ran.Output, Logged: ran.Logged}
			return nil, nil, true, d.verifier.failed(s, failed, nil)
		case ran.Lost:
			lost = append(lost, e)
		default:
			shown = append(shown, e)
		}
	}
	return shown, lost, false, nil
}

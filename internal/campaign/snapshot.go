package campaign

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// status returns the totals of all targets, with the rate since the last call.
func (c *Campaign) status(last bool) event.Status {
	s := c.totals()
	var ran uint64
	for _, t := range c.targets {
		ran += t.ran()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	s.Rate = float64(ran-c.ran) / max(now.Sub(c.at).Seconds(), 1e-3)
	c.ran, c.at = ran, now
	s.Ran, s.Last = ran, last
	return s
}

// totals returns a status without a rate.
func (c *Campaign) totals() event.Status {
	s := event.Status{Targets: len(c.targets), Findings: c.ledger.bugs(), Reached: c.coverer.totals()}
	for _, t := range c.targets {
		now := t.snapshot()
		s.Execs += now.Execs
		s.Edges += now.Edges
		s.Entries += now.Entries
		if t.begun() {
			s.Begun++
		}
	}
	elapsed := c.clock.elapsed()
	s.Seconds = elapsed.Seconds()
	s.Left = max(0, (c.Limits.Time - elapsed).Seconds())
	return s
}

// Snapshot returns the state of the campaign, its builds, targets and workers. It may be called from any goroutine at any time.
func (c *Campaign) Snapshot() event.Snapshot {
	s := event.Snapshot{At: time.Now().UTC(), Module: c.Module.Path, Number: c.history.campaign.Load(), Totals: c.totals(), Builds: c.binaries.states()}
	if c.racer != nil {
		s.Builds = append(s.Builds, c.racer.binaries.states()...)
	}
	c.mu.Lock()
	workers, worked := slices.Clone(c.workers), slices.Clone(c.worked)
	c.mu.Unlock()
	s.Paused = c.clock.isPaused()
	s.Pausing = !s.Paused && c.pause.On()
	var all time.Duration
	for _, w := range worked {
		all += w.Worker
	}
	for i, t := range c.targets {
		state := t.state()
		state.Turns, state.Seconds, state.Quiet = worked[i].Turns, worked[i].Time.Seconds(), worked[i].Quiet
		if e := worked[i].Estimate(); state.Reason == "" {
			state.Next, state.NextLow, state.NextHigh = e.Mean.Seconds(), e.Low.Seconds(), e.High.Seconds()
		}
		if all > 0 {
			state.Share = float64(worked[i].Worker) / float64(all)
		}
		s.Targets = append(s.Targets, state)
	}
	for i, w := range workers {
		state := event.WorkerState{Number: i, Doing: event.Idle}
		if w.target != nil {
			state.Target, state.Doing = w.target.name(), doing(w.target.snapshot())
		}
		if !w.since.IsZero() {
			state.Since = time.Since(w.since).Seconds()
		}
		s.Workers = append(s.Workers, state)
	}
	return s
}

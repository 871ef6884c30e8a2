package replay

import (
	"os/exec"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

// watched is a process that is watched until it ends.
type watched struct {
	limit, start time.Duration
	out          *output
	cmd          *exec.Cmd

	begun     bool
	before    time.Duration // processor time of the process when the subtest began
	processor time.Duration // since then
	end       time.Time
}

// watch ends the process by cancel when the time for its start, that of the subtest or that for its end is up. It returns when ended is closed. A
// time in which gnaw itself stood still does not count: the process stood still too, or something is wrong with the clock.
func (w *watched) watch(ended <-chan struct{}, cancel func(error)) {
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	defer func() { w.end = time.Now() }()
	var starting, running, ending time.Duration // that count
	last := time.Now()
	for {
		select {
		case <-ended:
			return
		case <-beat.C:
		}
		now := time.Now()
		step := min(now.Sub(last), maxStep)
		last = now
		s := w.out.state()
		switch {
		case !s.begun:
			if starting += step; w.start > 0 && starting > w.start {
				cancel(errNotBegun)
			}
			continue
		case !w.begun:
			// The process has started if something was read of it.
			w.begun, w.before = true, executor.ProcessorTime(w.cmd.Process.Pid)
		}
		if s.ended != "" { // what follows is not the subtest
			if ending += step; w.start > 0 && ending > w.start {
				cancel(errNotEnded)
			}
			continue
		}
		running += step
		if w.limit > 0 && running > w.limit && w.over(running) {
			cancel(errUnfinished)
		}
	}
}

// maxStep is the most that counts between two looks: they are pulse apart unless the machine is very busy, or gnaw was stopped.
const maxStep = 50 * pulse

// over reports whether a subtest that has taken longer than its limit has had its time. One that shares the processor with others
// may take longer.
func (w *watched) over(running time.Duration) bool {
	had := executor.ProcessorTime(w.cmd.Process.Pid) - w.before
	return had >= w.limit || running > executor.StarvedPatience*w.limit || !executor.Starved(had, running)
}

// took returns how long the subtest took, as far as it is known.
func (w *watched) took() time.Duration {
	s := w.out.state()
	switch {
	case !s.begun:
		return 0
	case s.ended != "":
		return s.endedAt.Sub(s.began)
	}
	return w.end.Sub(s.began)
}

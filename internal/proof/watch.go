package proof

import (
	"os/exec"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

// watched is a process that is watched until it ends.
type watched struct {
	limit, start time.Duration
	repeatFor    time.Duration // 0: for ever
	out          *output
	cmd          *exec.Cmd

	begun     bool
	before    executor.Use  // of the processors by the process, when the subtest began
	processor time.Duration // that the process had since then
	end       time.Time
}

// watch ends the process by cancel when the time for its start, that of the subtest or that for its end is up. It returns when ended is closed. A
// time in which gnaw itself stood still does not count: the process stood still too, or something is wrong with the clock.
func (w *watched) watch(ended <-chan struct{}, cancel func(error)) {
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	defer func() { w.end = time.Now() }()
	var starting, running, ending, repeating time.Duration // that count
	last, runs := time.Now(), 1
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
		case !s.begun():
			if starting += step; w.start > 0 && starting > w.start {
				cancel(errNotBegun)
			}
			continue
		case !w.begun:
			// The process has started if something was read of it.
			w.begun, w.before = true, executor.ProcessorUse(w.cmd.Process.Pid)
		}
		if s.runs != runs { // another time
			runs, running, ending, w.before = s.runs, 0, 0, executor.ProcessorUse(w.cmd.Process.Pid)
		}
		if repeating += step; w.repeatFor > 0 && repeating > w.repeatFor {
			cancel(errRepeated)
		}
		if s.ended != "" { // what follows is not the subtest
			if ending += step; w.start > 0 && ending > w.start {
				cancel(errNotEnded)
			}
			continue
		}
		running += step
		if w.limit > 0 && running > w.limit && executor.Overdue(running, w.limit, w.before, executor.ProcessorUse(w.cmd.Process.Pid)) {
			cancel(errUnfinished)
		}
	}
}

// maxStep is the most that counts between two looks: they are pulse apart unless the machine is very busy, or gnaw was stopped.
const maxStep = 50 * pulse

// took returns how long the subtest took, as far as it is known.
func (w *watched) took() time.Duration {
	s := w.out.state()
	switch {
	case !s.begun():
		return 0
	case s.ended != "":
		return s.endedAt.Sub(s.began)
	}
	return w.end.Sub(s.began)
}

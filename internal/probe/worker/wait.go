package worker

import (
	"runtime"
	"time"
)

// goroutineWait waits for goroutines that an execution has started and not waited for: the edges that they hit belong to that execution,
// and would show in the next one. Its zero value is ready for use.
type goroutineWait struct {
	patience time.Duration // for those of one execution; 0: waitPatience
	calm     int           // goroutines that were there when settle was done last; 0: not known yet
	vain     int           // times in a row that they were still there after the wait
	begun    time.Time     // when an execution first left some
	waited   time.Duration // in all
}

const (
	// waitPatience: most goroutines that end before the next execution at all need no longer. Those that sleep or spin take much longer.
	waitPatience = 100 * time.Microsecond
	// waitTries: after so many times in vain the goroutines may run once, and are not waited for. Often that is enough for what they hit.
	waitTries = 8
	// waitShare: waiting takes at most 1/waitShare of the time. A goroutine that spins keeps a processor for 10 ms, even if others
	// want it.
	waitShare = 16
)

// settle waits if there are more goroutines than there were before the execution, or after the one before it, whichever are fewer:
// goroutines that have ended since must not hide others.
func (s *goroutineWait) settle(before int) {
	if s.calm > 0 {
		before = min(before, s.calm)
	}
	n := runtime.NumGoroutine() // which takes two nanoseconds
	if n > before {
		n = s.wait(before)
	}
	s.calm = n
}

// wait waits until there are no more goroutines than before, within the limits, and returns how many there are then.
func (s *goroutineWait) wait(before int) int {
	begin := time.Now()
	if s.begun.IsZero() {
		s.begun = begin
	}
	patience := s.patience
	if patience == 0 {
		patience = waitPatience
	}
	if s.waited > patience*waitTries+begin.Sub(s.begun)/waitShare {
		return runtime.NumGoroutine()
	}
	for {
		runtime.Gosched()
		n, took := runtime.NumGoroutine(), time.Since(begin)
		switch {
		case n <= before:
			s.vain = 0
		case s.vain >= waitTries:
		case took >= patience:
			s.vain++
		default:
			continue
		}
		s.waited += took
		return n
	}
}

package work

import (
	"runtime"
	"time"
)

// stragglers waits for goroutines that executions have started and not waited for: what they hit is of their execution, and would
// show in the next one. Its zero value is ready for use.
type stragglers struct {
	patience time.Duration // for those of one execution; 0: stragglerPatience
	calm     int           // goroutines that were there when settle was done last; 0: not known yet
	vain     int           // times in a row that they were still there after that
	begun    time.Time     // when executions first left some
	waited   time.Duration // in all
}

const (
	// stragglerPatience is what most need to end that end at all before the next execution; those that sleep or spin take much longer.
	stragglerPatience = 100 * time.Microsecond
	// stragglerTries: after so many times in vain they may run once, and are not waited for. Often that is enough for what they hit.
	stragglerTries = 8
	// stragglerShare: waiting takes at most one part in so many of the time. A goroutine that spins, on a processor of which it
	// is not the only one, keeps it for 10 ms.
	stragglerShare = 16
)

// settle waits if there are more goroutines than there were before the execution, or after the one before it: those that ended since
// must not hide others.
func (s *stragglers) settle(before int) {
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
func (s *stragglers) wait(before int) int {
	begin := time.Now()
	if s.begun.IsZero() {
		s.begun = begin
	}
	patience := s.patience
	if patience == 0 {
		patience = stragglerPatience
	}
	if s.waited > patience*stragglerTries+begin.Sub(s.begun)/stragglerShare {
		return runtime.NumGoroutine()
	}
	for {
		runtime.Gosched()
		n, took := runtime.NumGoroutine(), time.Since(begin)
		switch {
		case n <= before:
			s.vain = 0
		case s.vain >= stragglerTries:
		case took >= patience:
			s.vain++
		default:
			continue
		}
		s.waited += took
		return n
	}
}

package engine

import "time"

// Grace bounds how long a run goes on after a failure, to show others too: a bug that is hit at once hides all that are hit
// later. The zero value ends the run with the first one.
type Grace struct {
	Min, Max time.Duration // after each failure
	All      time.Duration // after the first one
}

// grace is the grace period that is under way. The lock of the ledger guards it.
type grace struct {
	timer *time.Timer   // has the ledger look whether the period is over; nil: nothing was found
	until time.Duration // when it is, by the time that the target was fuzzed
	last  time.Duration // when it is over at the latest
}

// extendGrace has the run end when as long again has passed as it took to the failure that is found now, and returns for how long it
// goes on. What fails first may be one of many; when a run has shown no other one for half of its time, the next would keep the user
// waiting for longer than all so far. The caller holds the lock.
func (l *ledger) extendGrace() time.Duration {
	g, limits, now := &l.grace, l.opts.Grace, l.meter.elapsed()
	if g.timer == nil {
		g.last = now + limits.All
	}
	d := min(max(now, limits.Min), limits.Max, g.last-now)
	g.until = now + d
	if g.timer == nil {
		g.timer = time.AfterFunc(d, l.endGrace)
	} else {
		g.timer.Reset(d)
	}
	return d
}

// endGrace takes no more findings, if no failure has put that off since the timer fired.
func (l *ledger) endGrace() {
	l.mu.Lock()
	due := l.meter.elapsed() >= l.grace.until
	l.closed = l.closed || due
	over := due && l.settling == 0
	l.mu.Unlock()
	if due {
		l.rest()
	}
	if over {
		l.turn.stop()
	}
}

// stopGrace stops the timer at the end of a turn.
func (l *ledger) stopGrace() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.grace.timer != nil {
		l.grace.timer.Stop()
	}
}

// rest has workers end their tasks because no more findings are taken; those that have none to deal with get no other one.
func (l *ledger) rest() {
	l.pool.preempt()
	l.turn.wake()
}

// isClosed reports whether no more findings are taken. In a run that keeps going that is never so.
func (l *ledger) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// settled notes that a finding is dealt with. The last one ends a run that takes no more of them.
func (l *ledger) settled() {
	l.mu.Lock()
	l.settling--
	over := l.closed && l.settling == 0
	l.mu.Unlock()
	if over {
		l.turn.stop()
	}
}

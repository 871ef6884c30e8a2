package engine

import "time"

// Linger bounds how long a run goes on after a failure, to show others too: a bug that is hit at once hides all that are hit a
// moment later. The zero value ends the run with the first one.
type Linger struct {
	Min, Max time.Duration // after each failure
	All      time.Duration // after the first one
}

// linger has the run end when as long again has passed as it took to the failure that is found now, and returns for how long
// it goes on. What fails first may be one of many; when a run has shown no other one for half of its time, the next would
// keep the user waiting for longer than all so far. The caller holds the mutex.
func (r *run) linger() time.Duration {
	now := r.elapsed()
	if r.lingering == nil {
		r.lastClose = now + r.Linger.All
	}
	d := min(max(now, r.Linger.Min), r.Linger.Max, r.lastClose-now)
	r.closeAt = now + d
	if r.lingering == nil {
		r.lingering = time.AfterFunc(d, r.lingered)
	} else {
		r.lingering.Reset(d)
	}
	return d
}

// goesOn reports whether the run goes on after the failures that there were.
func (r *run) goesOn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.KeepGoing || !r.closed
}

// lingered closes the run, if no failure has put that off since the timer fired.
func (r *run) lingered() {
	r.mu.Lock()
	due := r.elapsed() >= r.closeAt
	if due {
		r.close()
	}
	over := due && r.settling == 0
	r.mu.Unlock()
	if over {
		r.stop()
	}
}

// close has no more findings taken; workers that have none to deal with rest. The caller holds the mutex.
func (r *run) close() {
	r.closed = true
	for w := range r.workers {
		w.Preempt()
	}
	r.changed.Broadcast()
}

// settled notes that a finding is dealt with. The last one ends a run that takes no more of them.
func (r *run) settled() {
	r.mu.Lock()
	r.settling--
	over := r.closed && r.settling == 0
	r.mu.Unlock()
	if over {
		r.stop()
	}
}

package engine

import "time"

// Linger bounds how long a run goes on after the first failure, to show others too: a bug that is hit at once hides all that
// are hit a moment later. The zero value ends the run with the first one.
type Linger struct{ Min, Max time.Duration }

// linger has the run end after as long again as the first failure took, which at most doubles what the user waits, and returns
// for how long it goes on. The caller holds the mutex.
func (r *run) linger() time.Duration {
	d := min(max(r.elapsed(), r.Linger.Min), r.Linger.Max)
	r.lingering = time.AfterFunc(d, func() {
		r.mu.Lock()
		r.close()
		over := r.settling == 0
		r.mu.Unlock()
		if over {
			r.stop()
		}
	})
	return d
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

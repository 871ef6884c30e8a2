package bandit

import "sync"

// Pause pauses a pool. While it is on, no turn begins, and the pool continues to prepare targets. The time of the pool stops when the last
// running turn ends. The zero value is off; a nil *Pause is always off. The methods may be called from any goroutine.
type Pause struct {
	mu   sync.Mutex
	on   bool
	wake func() // makes the pool look at the state; nil: no pool is attached
}

// On reports whether the pool is paused, or will be when the running turns end.
func (p *Pause) On() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.on
}

// Set turns the pause on or off.
func (p *Pause) Set(on bool) {
	p.mu.Lock()
	p.on = on
	wake := p.wake
	p.mu.Unlock()
	if wake != nil {
		wake()
	}
}

// attach makes Set call wake until the caller calls detach.
func (p *Pause) attach(wake func()) (detach func()) {
	if p == nil {
		return func() {}
	}
	set := func(f func()) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wake = f
	}
	set(wake)
	return func() { set(nil) }
}

// stand marks the pool as paused if no turn runs; otherwise it waits for a change. The caller holds the mutex, and stand releases it meanwhile.
func (p *pool) stand() {
	if !p.stands && !p.isRunning() {
		p.stands, p.halted = true, p.Clock()
		p.report(Paused)
		return // the pause may be over
	}
	p.changed.Wait()
}

// proceed ends the pause. The caller holds the mutex, and proceed releases it while it reports the event.
func (p *pool) proceed() {
	p.stands, p.stood = false, p.stood+p.Clock()-p.halted
	p.report(Resumed)
}

// report emits an event about the pool. The caller holds the mutex, and report releases it meanwhile.
func (p *pool) report(what What) {
	p.mu.Unlock()
	defer p.mu.Lock()
	p.emit(Event{Target: -1, What: what})
}

// isRunning reports whether a turn runs.
func (p *pool) isRunning() bool {
	for _, a := range p.arms {
		if a.running {
			return true
		}
	}
	return false
}

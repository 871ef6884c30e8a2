package bandit

import "sync"

// Pause pauses a pool. While it is on, no turn begins; turns that run come to their end. When none runs any more, the time of the pool
// stands still. Targets are prepared meanwhile. The zero value is off; a nil *Pause is always off. The methods may be called from any
// goroutine.
type Pause struct {
	mu   sync.Mutex
	on   bool
	wake func() // tells the pool; nil: there is none
}

// On reports whether the pool is paused, or will be when all turns are over.
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

// stand notes that the pool is paused, if no turn runs, and waits for a change. The caller holds the mutex, which stand releases for a while.
func (p *pool) stand() {
	if !p.stands && !p.isRunning() {
		p.stands, p.halted = true, p.Clock()
		p.report(Paused)
		return // the pause may be over
	}
	p.changed.Wait()
}

// proceed notes that the pause is over. The caller holds the mutex, which proceed releases for a while.
func (p *pool) proceed() {
	p.stands, p.stood = false, p.stood+p.Clock()-p.halted
	p.report(Resumed)
}

// report emits an event about the pool while the mutex is not held. The caller holds it.
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

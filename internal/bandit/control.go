package bandit

import (
	"sync"
	"time"
)

// Control steers a pool while it runs. The zero value changes nothing. A pool that has ended takes no notice. The methods may be called from
// any goroutine, before Run too; a nil *Control has no setting.
type Control struct {
	mu      sync.Mutex
	paused  bool
	factors map[int]float64 // by target; those without are 1
	wake    func()          // makes the pool look at the state; nil: no pool is attached
}

// maxFactor bounds a factor, so that no factor outweighs what comes before all rates.
const maxFactor = 1e6

// Pause pauses the pool, or ends the pause. While the pool is paused, no turn begins, and it continues to prepare targets. The time of the pool
// stops when the last running turn ends.
func (c *Control) Pause(on bool) { c.change(func() { c.paused = on }) }

// Paused reports whether the pool is paused, or will be when the running turns end.
func (c *Control) Paused() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paused
}

// Weigh gives the target with an index a factor, by which the pool multiplies its rate of new edges when it chooses the target of the next
// turn. The factor of each target is 1 at first. A target whose factor is small keeps its minimum share. With 0 no turn of the target begins until it has
// another factor, and the others share the time; a negative number counts as 0. A running turn comes to its end. If no target can have a
// turn, the pool waits, and its time passes.
func (c *Control) Weigh(target int, factor float64) {
	if !(factor > 0) { // NaN too
		factor = 0
	}
	c.change(func() {
		if c.factors == nil {
			c.factors = map[int]float64{}
		}
		c.factors[target] = min(factor, maxFactor)
	})
}

// factor returns the factor of a target.
func (c *Control) factor(target int) float64 {
	if c == nil {
		return 1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.factors[target]; ok {
		return f
	}
	return 1
}

// change calls set, which changes a setting, and makes the pool look at it.
func (c *Control) change(set func()) {
	c.mu.Lock()
	set()
	wake := c.wake
	c.mu.Unlock()
	if wake != nil {
		wake()
	}
}

// attach makes each change call wake until the caller calls detach.
func (c *Control) attach(wake func()) (detach func()) {
	if c == nil {
		return func() {}
	}
	set := func(f func()) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.wake = f
	}
	set(wake)
	return func() { set(nil) }
}

// await waits for a change of the state. The end of the time is one; only while no turn runs, nobody else would notice it. The caller holds
// the mutex, and await releases it meanwhile.
func (p *pool) await(left time.Duration) {
	if p.Time > 0 && !p.isRunning() {
		defer time.AfterFunc(left, p.look).Stop()
	}
	p.changed.Wait()
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

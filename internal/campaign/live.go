package campaign

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// publishLive publishes the builds in progress, and the progress of each target that has changed, at each tick until done is closed.
func (c *Campaign) publishLive(done <-chan struct{}, tick <-chan time.Time) {
	published := make([]event.Progress, len(c.targets))
	for {
		select {
		case <-tick:
			c.publishBuilding()
			c.publishProgress(published)
		case <-done:
			c.publishProgress(published)
			return
		}
	}
}

// publishBuilding publishes the builds in progress, if there are any.
func (c *Campaign) publishBuilding() {
	kinds := []event.Building{c.binaries.building()}
	if c.racer != nil {
		kinds = append(kinds, c.racer.binaries.building())
	}
	if c.coverer != nil {
		kinds = append(kinds, c.coverer.state())
	}
	for _, e := range kinds {
		if len(e.Packages) > 0 {
			c.Events.Publish(e)
		}
	}
}

// publishProgress publishes the progress of each target that differs from its element of published, which it updates. The elements do not
// have the names of the targets.
func (c *Campaign) publishProgress(published []event.Progress) {
	for i, t := range c.targets {
		if !t.begun() {
			continue
		}
		e := event.Progress{Run: t.snapshot().Run}
		c.mu.Lock()
		e.Spent, e.Workers = c.worked[i].Worker.Seconds(), 0 // the workers that have a turn with the target are counted below
		for _, w := range c.workers {
			if w.target == t {
				e.Workers++
			}
		}
		c.mu.Unlock()
		if e != published[i] {
			published[i] = e
			e.Target = t.name()
			c.Events.Publish(e)
		}
	}
}

package campaign

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// publishLive publishes the builds in progress, and the progress of each target that has changed, at each tick of live, and the totals at
// each tick of status, until done is closed.
func (c *Campaign) publishLive(done <-chan struct{}, live, status <-chan time.Time) {
	for {
		select {
		case <-live:
			c.publishBuilding()
			c.publishProgress()
		case <-status:
			if spent := c.elapsed(); spent > 0 { // otherwise fuzzing has not begun
				c.publishStatus(spent, false)
			}
		case <-done:
			c.publishProgress()
			return
		}
	}
}

// publishBuilding publishes the builds in progress, if there are any.
func (c *Campaign) publishBuilding() {
	for _, v := range []Variant{Instrumented, Race, Cover} {
		if e := c.binaries.building(v); len(e.Packages) > 0 {
			c.Events.Publish(e)
		}
	}
}

// publishProgress publishes the progress of each target of which the board has another one.
func (c *Campaign) publishProgress() {
	c.publishing.Lock()
	defer c.publishing.Unlock()
	list := make([]event.Progress, len(c.targets))
	for i, t := range c.targets {
		list[i] = event.Progress{Subject: t.name(), Run: t.snapshot().Run}
	}
	var changed []event.Progress
	c.board.Read(time.Now(), func(s *board.State) { changed = s.Changed(list) })
	for _, e := range changed {
		c.Events.Publish(e)
	}
}

// publishStatus publishes the totals behind the progress that they are made of. spent is the time of fuzzing.
func (c *Campaign) publishStatus(spent time.Duration, last bool) {
	c.publishProgress()
	var s event.Status
	c.board.Read(time.Now(), func(b *board.State) { s = b.Status(spent, last) })
	s.Left, s.Reached = max(0, (c.Limits.Time-spent).Seconds()), c.coverer.totals()
	for _, t := range c.targets {
		s.Ran += t.ran()
		s.Checking += t.snapshot().Checking
	}
	c.Events.Publish(s)
}

package campaign

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Pause pauses the campaign, or ends the pause. During a pause no turn begins, but builds and replays of findings continue. The time of the
// campaign stops when the last running turn ends. Pause may be called from any goroutine, also before Run.
func (c *Campaign) Pause(on bool) { c.control.Pause(on) }

// Weigh gives a target a factor, as [bandit.Control.Weigh] does, and reports whether the campaign has the target. Weigh may be called from any
// goroutine, also before Run.
func (c *Campaign) Weigh(name event.Subject, factor float64) bool {
	for i, t := range c.targets {
		if t.Package == name.Package && t.Target.Func == name.Func {
			c.mu.Lock()
			defer c.mu.Unlock()
			t.factor = factor
			c.weigh(i)
			return true
		}
	}
	return false
}

// weighAll gives each target its factor, of which -focus may have changed a part.
func (c *Campaign) weighAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.targets {
		c.weigh(i)
	}
}

// weigh gives the target with an index its factor. The caller holds the mutex.
func (c *Campaign) weigh(i int) {
	t := c.targets[i]
	c.control.Weigh(i, t.factor*c.spots.factor(t))
}

// Stop ends the campaign as the end of the context of Run does. Before Run it has no effect.
func (c *Campaign) Stop() {
	c.mu.Lock()
	cancel := c.cancel
	c.mu.Unlock()
	cancel()
}

// notePause publishes that the campaign is paused, or that the pause is over.
func (c *Campaign) notePause(paused bool) {
	e := event.Notice{What: event.Resumed, Text: "the pause is over, and fuzzing continues"}
	if paused {
		e = event.Notice{What: event.Paused, Text: "the campaign is paused: no target is fuzzed, and its time stands still"}
	}
	c.Events.Publish(e)
}

// elapsed returns the time of fuzzing without pauses, including the time before a kill; 0: fuzzing has not begun.
func (c *Campaign) elapsed() (d time.Duration) {
	c.board.Read(time.Now(), func(s *board.State) { d = s.Elapsed() })
	return d
}

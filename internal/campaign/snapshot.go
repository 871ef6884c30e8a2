package campaign

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Snapshot returns the state of the campaign, its builds, targets and workers. It may be called from any goroutine at any time, also when the
// campaign is over.
func (c *Campaign) Snapshot() event.Snapshot {
	s := c.board.Snapshot(time.Now())
	s.Module, s.Number, s.Builds = c.Module.Path, c.History.Number(), append(c.binaries.states(Instrumented), c.binaries.states(Race)...)
	s.Pausing = !s.Paused && c.control.Paused()
	return s
}

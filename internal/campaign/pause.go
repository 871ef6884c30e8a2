package campaign

import (
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Pause pauses the campaign, or ends the pause. During a pause no turn begins, but builds and replays of findings continue. The time of the
// campaign stops when the last running turn ends. Pause may be called from any goroutine, also before Run.
func (c *Campaign) Pause(on bool) { c.pause.Set(on) }

// Stop ends the campaign as the end of the context of Run does. Before Run it has no effect.
func (c *Campaign) Stop() {
	c.mu.Lock()
	cancel := c.cancel
	c.mu.Unlock()
	cancel()
}

// notePause notes and publishes that the campaign is paused, or that the pause is over.
func (c *Campaign) notePause(paused bool) {
	e := event.Notice{What: event.Resumed, Text: "the pause is over, and fuzzing continues"}
	if paused {
		e = event.Notice{What: event.Paused, Text: "the campaign is paused: no target is fuzzed, and its time stands still"}
	}
	c.clock.pause(paused)
	c.Events.Publish(e)
}

// clock is the time of fuzzing, without pauses.
type clock struct {
	mu      sync.Mutex
	spent   time.Duration // before the campaign was killed
	began   time.Time     // when fuzzing began, plus the length of the finished pauses; zero: it has not begun
	stopped time.Time     // when the pause began; zero: the campaign is not paused
}

// begin notes that fuzzing begins, and returns when.
func (k *clock) begin() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.began = time.Now()
	return k.began
}

// pause notes that a pause begins or ends.
func (k *clock) pause(on bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := time.Now(); on {
		k.stopped = now
	} else {
		k.began, k.stopped = k.began.Add(now.Sub(k.stopped)), time.Time{}
	}
}

// isPaused reports whether the time stands still.
func (k *clock) isPaused() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.stopped.IsZero()
}

// elapsed returns the time of fuzzing, including the time before a kill; 0: fuzzing has not begun.
func (k *clock) elapsed() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.began.IsZero():
		return 0
	case !k.stopped.IsZero():
		return k.spent + k.stopped.Sub(k.began)
	}
	return k.spent + time.Since(k.began)
}

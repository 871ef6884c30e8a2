package engine

import (
	"sync"
	"sync/atomic"
)

// events passes events to OnEvent, one at a time. The listener may ask for a snapshot, so a caller holds no other lock.
type events struct {
	opts *Options
	mu   sync.Mutex
}

// emit reports an event.
func (e *events) emit(event Event) {
	if e.opts.OnEvent == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opts.OnEvent(event)
}

// warn reports a warning.
func (e *events) warn(text string) { e.emit(Warning{text}) }

// warnOnce reports a warning that is given once in a run; given says whether it was.
func (e *events) warnOnce(given *atomic.Bool, text string) {
	if given.CompareAndSwap(false, true) {
		e.warn(text)
	}
}

package engine

import (
	"sync"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// events calls the callbacks that report something, one at a time. A callback may ask for a snapshot, so a caller holds no other lock.
type events struct {
	opts *Options
	mu   sync.Mutex
}

// emit reports an event.
func (e *events) emit(one event.Event) {
	if e.opts.OnEvent == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opts.OnEvent(one)
}

// found reports a finding.
func (e *events) found(f *finding.Finding) { e.report(e.opts.OnFound, f) }

// smaller reports a smaller input of a finding.
func (e *events) smaller(f *finding.Finding) { e.report(e.opts.OnSmaller, f) }

// kept reports an entry.
func (e *events) kept(k Kept) {
	if e.opts.OnEntry == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opts.OnEntry(k)
}

func (e *events) report(callback func(*finding.Finding), f *finding.Finding) {
	if callback == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	callback(f)
}

// warn reports a warning.
func (e *events) warn(text string) {
	e.emit(event.Notice{What: event.Warning, Target: e.opts.Target, Text: text})
}

// warnOnce reports a warning that is given once in a run; given says whether it was.
func (e *events) warnOnce(given *atomic.Bool, text string) {
	if given.CompareAndSwap(false, true) {
		e.warn(text)
	}
}

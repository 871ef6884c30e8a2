package engine

import (
	"fmt"
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
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range e.opts.OnEntry {
		f(k)
	}
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
	e.emit(event.Notice{What: event.Warning, Subject: e.opts.Target, Text: text})
}

// skippedShown is how many files of the corpus cache that cannot be read are named at once.
const skippedShown = 3

// warnSkipped reports files of the corpus cache that cannot be read.
func (e *events) warnSkipped(problems []error) {
	for _, p := range problems[:min(len(problems), skippedShown)] {
		e.warn(fmt.Sprintf("skipping a file of the corpus cache: %v", p))
	}
	if more := len(problems) - skippedShown; more > 0 {
		e.warn(fmt.Sprintf("skipping %d more files of the corpus cache, which is %s", more, e.opts.CacheDir))
	}
}

// warnOnce reports a warning that is given once in a run; given says whether it was.
func (e *events) warnOnce(given *atomic.Bool, text string) {
	if given.CompareAndSwap(false, true) {
		e.warn(text)
	}
}

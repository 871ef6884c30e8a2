package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// refusals holds what seeds have done outside of their process, which all workers allow, and tells once what is refused.
type refusals struct {
	opts   *Options
	events *events

	told, failed atomic.Bool // the user knows that something was refused, and that a failure does not count for it

	mu        sync.Mutex
	allowed   [][]byte
	undecided string // why a failure is not reported; empty: none was
}

// starting wraps a function that starts workers: they refuse from the first input on.
func (r *refusals) starting(start StartFunc) StartFunc {
	if !r.opts.Refuse || start == nil {
		return start
	}
	return func(ctx context.Context) (Worker, wire.Hello, error) {
		w, hello, err := start(ctx)
		if err == nil {
			_ = w.Refuse(r.list()) // a process that is gone shows in the request that follows
		}
		return w, hello, err
	}
}

// list returns the actions that are allowed.
func (r *refusals) list() [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.allowed[:len(r.allowed):len(r.allowed)]
}

// note allows what a seed has done.
func (r *refusals) note(actions [][]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range actions {
		r.allowed = append(r.allowed, append([]byte{}, a...)) // it is part of a message
	}
}

// update has the worker of a slot allow what seeds have done in other workers since it was started.
func (r *refusals) update(s *slot) {
	if list := r.list(); r.opts.Refuse && len(list) != s.allowed {
		_ = s.worker.Refuse(list) // as above
		s.allowed = len(list)
	}
}

// look tells what the worker of a slot has refused, if it has one.
func (r *refusals) look(s *slot) {
	if s.worker == nil || !r.opts.Refuse {
		return
	}
	if action, _ := s.worker.Refused(); action != "" {
		r.tell(action)
	}
}

// tell tells that an action was refused, once in a run.
func (r *refusals) tell(action string) {
	if r.told.CompareAndSwap(false, true) {
		r.events.emit(event.Notice{What: event.Refused, Subject: r.opts.Target, Text: fmt.Sprintf(
			"the target tried to %s, and gnaw refused it; an input may do outside of its process only what a seed does too; "+
				"-refuse=off allows everything", action)})
	}
}

// fail tells that a failure is not reported because something was refused before, once in a run.
func (r *refusals) fail(f *finding.Finding) {
	r.tell(f.Refused)
	r.events.warnOnce(&r.failed, NotDecided(f))
	r.leave(f)
}

// leave notes that it is not known whether a failure is a finding.
func (r *refusals) leave(f *finding.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.undecided == "" {
		r.undecided = NotDecided(f)
	}
}

// NotDecided says why a failure after a refusal is not reported as a finding.
func NotDecided(f *finding.Finding) string {
	return fmt.Sprintf("an input fails after gnaw refused to let it %s, which may be the reason, so gnaw does not report this failure as a bug: "+
		"%s: %s; with -refuse=off it is decided", f.Refused, f.Kind, f.Message)
}

// refusedIn returns the action if an error is that of a replay in which it was refused; else nothing.
func refusedIn(err error) string {
	var refused *proof.RefusedError
	if errors.As(err, &refused) {
		return refused.Action
	}
	return ""
}

// why returns why it is not known whether the first failure after a refusal is a finding; empty: there was none.
func (r *refusals) why() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.undecided
}

package engine

import (
	"context"
	"errors"
	"sync"
	"time"
)

// proofAfterStop is how long the replay of a failure may take when the run is being stopped: the user waits for the end.
const proofAfterStop = 5 * time.Second

// turn controls the turn that is under way: when it ends, and with which error. Its lock comes first in the order. It is held
// while a task is chosen, so that no change of the state is missed and no execution is promised twice.
type turn struct {
	opts  *Options
	meter *meter

	// The contexts are set before the first worker of a turn starts.
	outer  context.Context // ends when the caller wants it
	ctx    context.Context // ends when the turn is to end
	cancel context.CancelFunc

	mu        sync.Mutex
	changed   *sync.Cond // something changed that the choice of a task depends on
	number    uint64     // of the turn; one that is over has none
	stopping  bool       // no more tasks are given
	exhausted bool       // there is nothing left to do, in this turn or another
	cut       string     // why the run ended before all executions were made that its limit allows; empty: it did not
	err       error      // the first error
}

func newTurn(opts *Options, m *meter) *turn {
	t := &turn{opts: opts, meter: m}
	t.changed = sync.NewCond(&t.mu)
	return t
}

// begin begins a turn and returns its number. outer ends when the caller wants it, ctx when the turn is to end too.
func (t *turn) begin(outer, ctx context.Context) (number uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outer = outer
	t.ctx, t.cancel = context.WithCancel(ctx)
	t.stopping, t.err = false, nil
	t.number++
	return t.number
}

// choose returns the task that next returns. When next has none, but says that there may be one later, choose waits for a change.
// It returns nil when the turn ends. Then, or if there is nothing left to do, no other call returns a task; err, if it is not nil,
// is the reason.
func (t *turn) choose(next func() (chosen task, wait bool, err error)) task {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		if t.stopping {
			return nil
		}
		chosen, wait, err := next()
		if chosen != nil {
			t.meter.grant(chosen.grant())
			return chosen
		}
		if !wait {
			if t.err == nil {
				t.err = err
			}
			t.stopping, t.exhausted = true, true
			t.cancel()
			t.changed.Broadcast()
			return nil
		}
		t.changed.Wait()
	}
}

// grant promises n executions, unless fewer are left, and reports whether it did.
func (t *turn) grant(n uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if left, _ := t.meter.left(); left < n {
		return false
	}
	t.meter.grant(n)
	return true
}

// wake has all goroutines that wait for a task look at the state again.
func (t *turn) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx != nil && t.ctx.Err() != nil { // without one, no turn has begun
		t.stopping = true
	}
	t.changed.Broadcast()
}

// stop ends the turn at once.
func (t *turn) stop() {
	t.cancel()
	t.wake()
}

// cutShort has no more tasks given, in this turn or another, although the limit of executions allows more. why is a part of a sentence.
func (t *turn) cutShort(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopping, t.exhausted, t.cut = true, true, why
	t.changed.Broadcast()
}

// whyCut returns why the run was cut short; empty: it was not.
func (t *turn) whyCut() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cut
}

// rest ends the turn with that number, if it is under way: workers get no more tasks. It reports whether it was.
func (t *turn) rest(number uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.number != number {
		return false
	}
	t.stopping = true
	t.changed.Broadcast()
	return true
}

// isUnderWay reports whether the turn with that number is under way.
func (t *turn) isUnderWay(number uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.number == number
}

// noMore has no more tasks given.
func (t *turn) noMore() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopping = true
}

// isStopping reports whether no more tasks are given.
func (t *turn) isStopping() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stopping
}

// isExhausted reports whether another turn has nothing to do.
func (t *turn) isExhausted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.exhausted
}

// setError sets the error of the turn, if it has none.
func (t *turn) setError(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

// end ends the turn and returns its error.
func (t *turn) end() error {
	t.cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.number++
	return t.err
}

// unlessStopped returns err, or nil if the end of the turn explains it.
func (t *turn) unlessStopped(err error) error {
	left, limited := t.meter.remaining()
	over := limited && left <= 0
	if t.ctx.Err() != nil && errors.Is(err, t.ctx.Err()) || over && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// starting returns the context of processes that start. One that is not ready to fuzz before the time is over gets no overtime.
func (t *turn) starting() (context.Context, context.CancelFunc) {
	left, limited := t.meter.remaining()
	if !limited {
		return context.WithCancel(t.ctx)
	}
	return context.WithTimeout(t.ctx, left)
}

// isStopped reports whether the run is being stopped from outside, by ^C or the like.
func (t *turn) isStopped() bool { return t.outer.Err() != nil }

// verifying returns the context for what is done with a finding. In a run that keeps going the end of a turn does not cut it
// short.
func (t *turn) verifying() context.Context {
	if t.opts.KeepGoing {
		return t.outer
	}
	return t.ctx
}

// replaying returns the context of a replay. The end of the time does not cut it short, since what fails at the end of a turn may be
// flaky too.
func (t *turn) replaying() (context.Context, context.CancelFunc) {
	if t.isStopped() {
		return context.WithTimeout(context.WithoutCancel(t.outer), proofAfterStop)
	}
	return context.WithCancel(t.outer)
}

// isContext reports whether err is the end of a context.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

package engine

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// live returns the number of workers that have not ended.
func (l *lab) live() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.workers {
		if !f.ended {
			n++
		}
	}
	return n
}

func TestATargetThatOneProcessCanHaveGetsOneWorker(t *testing.T) {
	for _, tt := range []struct {
		name     string
		locks    bool          // a process waits before F.Fuzz while another one lives
		turn     time.Duration // a time that is enough to know that, or too short
		turns    int
		warnings int
	}{
		{"two processes can run", false, time.Hour, 1, 0},
		{"a second one waits", true, time.Hour, 2, 1},
		{"a second one waits in turns that are too short to know", true, 600 * time.Millisecond, maxVain - 1, 0},
		{"a second one waits in many such turns", true, 600 * time.Millisecond, maxVain + 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.seeds("seed")
			l.opts.KeepGoing = true
			o := l.options()
			start := o.Start
			o.Start = func(ctx context.Context) (Worker, wire.Hello, error) {
				if tt.locks && l.live() > 0 {
					<-ctx.Done()
					return nil, wire.Hello{}, ctx.Err()
				}
				return start(ctx)
			}
			var requests atomic.Int32
			var end func()
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if requests.Add(1) > 3 {
					end()
				}
				return allOf(m), nil
			}
			target := New(o)
			for range tt.turns {
				requests.Store(0)
				ctx, cancel := context.WithCancel(t.Context())
				end = cancel
				if err := target.Fuzz(ctx, tt.turn, 0, 2); err != nil {
					t.Error(err)
				}
				cancel()
				if requests.Load() == 0 {
					t.Error("nothing was fuzzed in a turn")
				}
			}
			if n := len(warningsOf(l)); n != tt.warnings {
				t.Errorf("the warnings are %v, want %d", warningsOf(l), tt.warnings)
			}
		})
	}
}

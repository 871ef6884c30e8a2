package engine

import (
	"context"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Before the first comparison of an entry is tried, variants of it are executed: a request that ends before that brings
// nothing, and the next one does the same.
func TestASlowEntryHasTheTimeThatItsExecutionsTake(t *testing.T) {
	for _, tt := range []struct {
		name         string
		takes        time.Duration
		solve, slice time.Duration // of requests that try comparisons, and of others; 0: there are none
	}{
		{"a fast entry", time.Microsecond, burstLimit, burstLimit},
		{"20 ms", 20 * time.Millisecond, solveExecs * 20 * time.Millisecond, 160 * time.Millisecond},
		{"a second", time.Second, 0, 8 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				return wire.Ran{Execs: 1, Nanos: uint64(tt.takes), Edges: 1}, nil
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var solve, slice time.Duration
			requests := 0
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if requests++; requests == 5 {
					cancel()
				}
				done := allOf(m)
				if done.Solved = m.Solve; m.Solve {
					solve = f.slice
				} else {
					slice = f.slice
				}
				return done, nil
			}
			if _, err := l.goFuzz(ctx); err != nil {
				t.Fatal(err)
			}
			if solve != tt.solve || slice != tt.slice {
				t.Errorf("a request may take %v with comparisons, %v without, want %v and %v", solve, slice, tt.solve, tt.slice)
			}
		})
	}
}

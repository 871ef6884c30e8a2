package engine

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// All workers execute the last inputs of the warm-up at the same time.
func TestTheEndOfTheWarmUpIsReportedOnceBeforeFuzzing(t *testing.T) {
	const workers = 4
	l := newLab(t)
	l.parallel, l.opts.MaxExecs = workers, 1000
	for i := range workers {
		l.seeds(fmt.Sprint(i))
	}
	var all sync.WaitGroup
	all.Add(workers)
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
		all.Done()
		all.Wait()
		return pass, nil
	}
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(eventsOf[event.WarmedUp](l)) != 1 {
			t.Error("an entry is mutated before the end of the warm-up is reported")
		}
		return allOf(m), nil
	}
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Fatal(err)
	}
	warmed := eventsOf[event.WarmedUp](l)
	if len(warmed) != 1 {
		t.Fatalf("the end of the warm-up is reported %d times", len(warmed))
	}
	if s := warmed[0]; s.WarmDone != workers || s.WarmTotal != workers || s.WarmingUp {
		t.Errorf("it is reported with %+v, want that all inputs are done with", s)
	}
}

package engine

import (
	"context"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestARunThatKeepsGoingReportsEachFailureOnce(t *testing.T) {
	l := newLab(t)
	l.seeds("a", "bad seed", "c")
	l.opts.KeepGoing, l.opts.FuzzLimit, l.opts.Workers = true, 5000, 2
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "bad seed" {
			return ranFailing(failedAt(1)), nil
		}
		return pass, nil
	}
	requests := 0
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		requests++
		switch requests % 4 {
		case 0:
			return failing("first", failedAt(7)), nil
		case 1:
			return failing("second", failedAt(8)), nil
		case 2:
			return failing("first again", failedAt(7)), nil
		}
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]int{}
	for _, f := range out.Findings {
		places[f.Place]++
		if f.Seed == "" && (f.Replays != replaysOfMany || f.Failures != replaysOfMany || f.Flaky) {
			t.Errorf("the finding at %s failed in %d of %d replays, want %d of %d", f.Place, f.Failures, f.Replays, replaysOfMany, replaysOfMany)
		}
	}
	if len(places) != 3 || len(out.Findings) != 3 || len(eventsOf[Found](l)) != 3 {
		t.Errorf("the findings are at %v, %d were announced, want the seed and two more, once each", places, len(eventsOf[Found](l)))
	}
	if out.Final.Execs < 5000 || out.Final.WarmDone != 3 {
		t.Errorf("the run ended with %+v, want all executions", out.Final)
	}
}

func TestATargetIsFuzzedInTurns(t *testing.T) {
	l := newLab(t)
	l.seeds("a", "b")
	l.opts.FuzzLimit = 100_000
	warm := 0
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { warm++; return pass, nil }
	ctx, cancel := context.WithCancel(t.Context())
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		if warm == 2 && len(l.workers) == 1 {
			found(novel("c"))
			cancel() // the end of the first turn
		}
		return allOf(m), nil
	}
	target := New(l.options())
	if err := target.Fuzz(ctx, 0, 1); err != nil {
		t.Fatal(err)
	}
	first := target.Outcome().Final
	if first.Execs >= 100_000 || first.Elapsed == 0 || target.Snapshot().Elapsed != first.Elapsed {
		t.Errorf("after the first turn: %+v, then %v", first, target.Snapshot().Elapsed)
	}
	if err := target.Fuzz(t.Context(), time.Minute, 1); err != nil {
		t.Fatal(err)
	}
	final := target.Outcome().Final
	if final.Execs != 100_000 || warm != 2 || final.Entries != 3 || final.Elapsed <= first.Elapsed {
		t.Errorf("after the second turn: %+v with %d executions of seeds, want all executions, each seed once", final, warm)
	}
	for _, f := range l.workers {
		if !f.ended {
			t.Errorf("worker %d is left between two turns", f.number)
		}
	}
}

package engine

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Before the first comparison of an entry is tried, variants of it are executed: a request that ends before that brings
// nothing, and the next one does the same.
func TestASlowEntryHasTheTimeThatItsExecutionsTake(t *testing.T) {
	for _, tt := range []struct {
		name         string
		takes, mean  time.Duration // of the entry, and of its mutants
		solve, slice time.Duration // of requests that try comparisons, and of others; 0: there are none
	}{
		{"a fast entry", time.Microsecond, time.Microsecond, burstLimit, burstLimit},
		{"20 ms", 20 * time.Millisecond, 20 * time.Millisecond, solveExecs * 20 * time.Millisecond, 160 * time.Millisecond},
		{"20 ms, but its mutants are fast", 20 * time.Millisecond, time.Microsecond, solveExecs * 20 * time.Millisecond, burstLimit},
		{"5 ms, but its mutants are fast", 5 * time.Millisecond, time.Microsecond, solveExecs * 5 * time.Millisecond, burstLimit},
		{"a second", time.Second, time.Second, 0, 8 * time.Second},
		{"a second, but its mutants are fast", time.Second, time.Microsecond, 0, burstLimit},
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
				done := executor.Fuzzed{Done: wire.Done{Execs: 10, Nanos: 10 * uint64(tt.mean)}}
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

// In a run that no clock influences, the bytes of the inputs stand for the time that executions take.
func TestARequestOfARepeatableRunEndsWithItsBytes(t *testing.T) {
	const size = 1 << 20
	takes := nominal + size*nominalByte
	for _, tt := range []struct {
		name         string
		seed         string
		solve, bytes time.Duration // that the bytes stand for, of requests that try comparisons, and of others
	}{
		{"a short entry", "seed", burstLimit, burstLimit},
		// No edge is new for a long time, so that the long one is worth the time of others.
		{"a long entry", strings.Repeat("x", size), solveExecs * takes, burstLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds(tt.seed)
			l.opts.Repeatable, l.opts.MaxExecs = true, 2*uint64(outlierCalm/nominal)
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				return wire.Ran{Execs: 1, Nanos: 1, Edges: 1}, nil
			}
			var solve, usual uint64
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if f.slice != 0 {
					t.Errorf("a request ends after %v", f.slice)
				}
				if m.Solve {
					solve = m.Bytes
				} else {
					usual = m.Bytes
				}
				done := allOf(m)
				done.Solved = m.Solve
				return done, nil
			}
			if _, err := l.goFuzz(t.Context()); err != nil {
				t.Fatal(err)
			}
			if solve != uint64(tt.solve/nominalByte) || usual != uint64(tt.bytes/nominalByte) {
				t.Errorf("a request may execute %d bytes with comparisons, %d without, want %d and %d",
					solve, usual, tt.solve/nominalByte, tt.bytes/nominalByte)
			}
		})
	}
}

func TestOneWorkerAtATimeTriesWhatAnEntryCompares(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.parallel = 3
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
		return wire.Ran{Execs: 1, Nanos: 1000, Edges: 1}, nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var solving, requests atomic.Int32
	others := make(chan struct{}) // closed when other workers have had requests meanwhile
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if !m.Solve {
			if requests.Add(1) == 20 {
				close(others)
			}
			return allOf(m), nil
		}
		if n := solving.Add(1); n > 1 {
			t.Errorf("%d workers try the same at the same time", n)
		}
		<-others
		solving.Add(-1)
		cancel()
		return allOf(m), nil
	}
	if _, err := l.goFuzz(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestExecutionsOfARequestUnderWayAreShown(t *testing.T) {
	l := newLab(t)
	var shown []uint64
	r := newEngine(l.opts)
	worker := &fakeWorker{lab: l}
	r.pool.live[worker] = true
	for _, step := range []struct{ booked, underway uint64 }{{0, 30}, {0, 40}, {0, 0}, {50, 0}, {50, 7}} {
		r.meter.execs = step.booked
		worker.underway.Store(step.underway)
		shown = append(shown, r.Snapshot().Execs)
	}
	if want := []uint64{30, 40, 40, 50, 57}; !slices.Equal(shown, want) {
		t.Errorf("the executions shown are %v, want %v: none may be taken back", shown, want)
	}
}

func TestASolvedEntryIsStudiedOnceInAWhile(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
		return wire.Ran{Execs: 1, Nanos: 1000, Edges: 1}, nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var studied []bool
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		switch {
		case len(studied) == 2*studyIn: // some come before the end is noticed
			cancel()
		case !m.Solve: // the first request solves
			studied = append(studied, m.Study)
		}
		done := allOf(m)
		done.Solved = m.Solve
		return done, nil
	}
	if _, err := l.goFuzz(ctx); err != nil {
		t.Fatal(err)
	}
	if want := []bool{false, false, true, false, false, true}; !slices.Equal(studied, want) {
		t.Errorf("requests after the first one record comparisons: %v, want %v", studied, want)
	}
}

// What shows in the last execution that a request has is not executed again, so nobody knows how long it takes.
func TestAnEntryThatWasNotTimedTakesTheMeanTime(t *testing.T) {
	for _, tt := range []struct {
		name  string
		nanos uint64
		want  time.Duration
	}{{"timed", 70, 70}, {"not timed", 0, 500}} {
		r := newEngine(Options{Kinds: bytesKind})
		r.saver = newSaver(r.Options, r.entries, r.events, r.fail)
		r.meter.execs, r.meter.nanos = 10, 5000
		r.requests.discovered(wire.New{Input: input.Append(nil, input.Args{{Kind: input.Bytes, Data: []byte("x")}}), Nanos: tt.nanos})
		if e := r.entries.corpus.Entry(r.entries.nextID); e == nil || e.Duration != tt.want {
			t.Errorf("%s: the entry is %+v, want a duration of %v", tt.name, e, tt.want)
		}
	}
}

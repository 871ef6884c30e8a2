package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// A callback may call all methods of the target.
func TestNoLockIsHeldWhileAnEventIsReported(t *testing.T) {
	for _, tt := range []struct {
		name      string
		keepGoing bool
		want      []string // names of events
	}{
		{"in a run that keeps going", true, []string{
			"entry", "found", "loading", "minimize", "over_limit", "seed_failed", "warm_up", "warmed_up", "warning",
		}},
		{"in one that ends after a grace period", false, []string{
			"entry", "found", "grace", "loading", "minimize", "over_limit", "warm_up", "warmed_up", "warning",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			if tt.keepGoing { // otherwise each of these ends the run
				l.seeds("X")
				l.opts.Oracles.On = oracle.Leak
			}
			l.cache("cached")
			l.opts.KeepGoing, l.opts.Grace, l.opts.MaxExecs = tt.keepGoing, Grace{time.Hour, time.Hour, time.Hour}, 5000
			l.opts.Minimize.Time, l.opts.PlainReplay, l.opts.Restart, l.opts.MemLimit = time.Minute, true, true, 1<<20
			l.oracles = func(context.Context, *fakeWorker, wire.Measure) (r executor.OracleResult, err error) {
				r.Reports = []oracle.Report{leak("p.wait")}
				return r, nil
			}
			l.replay = func(_ string, kind finding.Kind) proof.Verdict {
				if kind == finding.Hang {
					return proof.Slow
				}
				return proof.Fails
			}
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				switch data {
				case "X":
					return ranFailing(failedAt(7)), nil
				case "much":
					return wire.Ran{}, &executor.Exit{Err: errors.New("exit status 2"), Cause: shm.Memory, Input: args(data)}
				}
				return pass, nil
			}
			requests := 0
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
				requests++
				switch requests {
				case 1:
					found(novel("new"))
					return executor.Fuzzed{Done: wire.Done{Execs: 1, Nanos: 1000}}, nil
				case 2:
					return failing("a longer X", failedAt(8)), nil
				case 3:
					return executor.Fuzzed{}, hangOf("slow")
				case 4:
					return executor.Fuzzed{}, &executor.Exit{Err: errors.New("exit status 2"), Cause: shm.Memory, Input: args("much")}
				case 5:
					return executor.Fuzzed{}, &executor.Exit{Err: errors.New("signal: killed"), External: true}
				}
				return allOf(m), nil
			}
			o := l.options()
			var target *Fuzzer
			l.on = func(e event.Event) { target.Snapshot(); checkLocksAreFree(t, target, e) }
			target = New(o)
			if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range l.events {
				got = append(got, e.Name())
			}
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, tt.want) {
				t.Errorf("the events are %v, want %v", got, tt.want)
			}
		})
	}
}

// checkLocksAreFree checks that each lock can be taken, apart from that of the order of events.
func checkLocksAreFree(t *testing.T, target *Fuzzer, reported event.Event) {
	t.Helper()
	e := target.engine
	for name, lock := range map[string]sync.Locker{
		"turn": &e.turn.mu, "requests": &e.requests.mu, "queue": &e.queue.mu, "ledger": &e.ledger.mu, "files": &e.files.mu,
		"warm-up": &e.warmup.mu, "imports": &e.imports.mu, "entries": &e.entries.mu, "lengths": &e.lengths.mu, "pool": &e.pool.mu, "meter": &e.meter.mu,
		"overflows": &e.verifier.overflows.mu, "hangs": &e.verifier.hangs.checking,
	} {
		free := make(chan struct{})
		go func() {
			lock.Lock()
			defer lock.Unlock()
			close(free)
		}()
		select {
		case <-free:
		case <-time.After(10 * time.Second):
			t.Errorf("the lock of the %s is held while the event %s is reported", name, reported.Name())
		}
	}
}

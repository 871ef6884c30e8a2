package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestARunThatKeepsGoingReportsEachFailureOnce(t *testing.T) {
	l := newLab(t)
	l.seeds("a", "bad seed", "c")
	l.opts.KeepGoing, l.opts.MaxExecs, l.parallel = true, 5000, 2
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
	if len(places) != 3 || len(out.Findings) != 3 || len(eventsOf[foundEvent](l)) != 3 {
		t.Errorf("the findings are at %v, %d were announced, want the seed and two more, once each", places, len(eventsOf[foundEvent](l)))
	}
	if out.Final.Execs < 5000 || out.Final.WarmDone != 3 {
		t.Errorf("the run ended with %+v, want all executions", out.Final)
	}
}

func TestATargetIsFuzzedInTurns(t *testing.T) {
	l := newLab(t)
	l.seeds("a", "b")
	warm := 0
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { warm++; return pass, nil }
	var end func() // of the turn
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		if len(l.workers) == 1 {
			found(novel("c"))
		}
		end()
		return allOf(m), nil
	}
	target := New(l.options())
	var after [2]Snapshot
	for i := range after {
		ctx, cancel := context.WithCancel(t.Context())
		end = cancel
		if err := target.Fuzz(ctx, time.Minute, 0, 1); err != nil {
			t.Fatal(err)
		}
		after[i] = target.Outcome().Final
		if target.Snapshot().Elapsed != after[i].Elapsed {
			t.Errorf("time passes between two turns: %v, then %v", after[i].Elapsed, target.Snapshot().Elapsed)
		}
		for _, f := range l.workers {
			if !f.ended {
				t.Errorf("worker %d is left after turn %d", f.number, i+1)
			}
		}
	}
	if warm != 2 || after[0].Entries != 3 || after[1].Entries != 3 {
		t.Errorf("%d executions of seeds, %d and %d entries, want each seed once and 3 entries", warm, after[0].Entries, after[1].Entries)
	}
	if after[0].Execs == 0 || after[1].Execs <= after[0].Execs || after[1].Elapsed <= after[0].Elapsed {
		t.Errorf("the second turn does not go on where the first ended: %+v, then %+v", after[0], after[1])
	}
}

// With the random numbers of one before, a worker makes the same mutants again: those of a target that has one entry, in each
// turn, or up to the one that ended the process.
func TestEachProcessHasRandomNumbersOfItsOwn(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.KeepGoing = true
	var requests int // of the turn
	var end func()
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if requests++; requests == 1 {
			return executor.Fuzzed{}, &executor.Exit{Err: errors.New("exit status 3"), Input: args("exit")}
		}
		end()
		return allOf(m), nil
	}
	target := New(l.options())
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		requests, end = 0, cancel
		if err := target.Fuzz(ctx, time.Minute, 0, 1); err != nil {
			t.Fatal(err)
		}
	}
	seeds := map[uint64]bool{}
	for _, f := range l.workers {
		seeds[f.setup.Seed] = true
	}
	if len(seeds) != 4 || len(l.workers) != 4 {
		t.Errorf("%d processes have the random seeds %v, want four of each", len(l.workers), seeds)
	}
}

func TestATurnThatEndsInTheWarmUpLosesNoSeed(t *testing.T) {
	l := newLab(t)
	l.seeds("a", "slow", "c")
	var ran []string
	end := func() {} // of the turn
	l.run = func(ctx context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "slow" && len(l.workers) == 1 {
			end()
			<-ctx.Done()
			return wire.Ran{}, ctx.Err()
		}
		ran = append(ran, data)
		return pass, nil
	}
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		end()
		return allOf(m), nil
	}
	target := New(l.options())
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		end = cancel
		if err := target.Fuzz(ctx, time.Minute, 0, 1); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"a", "slow", "c"}; !slices.Equal(ran, want) || target.Outcome().Final.WarmDone != 3 {
		t.Errorf("the warm-up executed %q, want %q: %+v", ran, want, target.Outcome().Final)
	}
}

func TestATargetIsExhausted(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit uint64
		fails bool
		want  bool
	}{
		{"when its executions are used up", 100, false, true},
		{"when all of its inputs fail", 0, true, true},
		{"but not when a turn ends", 0, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("a")
			l.opts.KeepGoing, l.opts.MaxExecs = true, tt.limit
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				if tt.fails {
					return ranFailing(failedAt(1)), nil
				}
				return pass, nil
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if tt.fails {
					return failing("as well", failedAt(1)), nil
				}
				if tt.limit == 0 {
					cancel()
				}
				return allOf(m), nil
			}
			target := New(l.options())
			if err := target.Fuzz(ctx, time.Minute, 0, 1); err != nil {
				t.Fatal(err)
			}
			if got := target.Exhausted(); got != tt.want {
				t.Errorf("Exhausted = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestMessagesTellFailuresAtOnePlaceApartUpToALimit(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.KeepGoing, l.opts.MaxExecs = true, 100
	requests := 0
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		requests++
		n := requests / 2 % 20                         // each twice
		word := strings.Repeat(string('a'+rune(n)), 8) // which is not of the input
		return failing(fmt.Sprint(requests), "    x_test.go:7: word "+word+"\n"), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != maxAtPlace {
		t.Fatalf("Run = %d findings, %v, want %d", len(out.Findings), err, maxAtPlace)
	}
	if n := len(out.Others[out.Findings[0]]); n != maxOthers {
		t.Errorf("the first finding has %d other inputs, want %d", n, maxOthers)
	}
}

func TestAFindingThatEndsItsProcessIsMinimized(t *testing.T) {
	for _, tt := range []struct {
		name string
		dies func(ctx context.Context, in string) error
		want string
	}{
		{"when the process exits", func(_ context.Context, in string) error {
			return &executor.Exit{Err: errors.New("exit status 3"), Input: args(in)}
		}, "X"},
		{"when an execution hangs, which nobody waits for", func(ctx context.Context, in string) error {
			if _, probing := ctx.Deadline(); probing && len(in) > 1 {
				return context.DeadlineExceeded
			}
			return &executor.Exit{Err: errors.New("exit status 2"), Hang: true, Input: args(in)}
		}, "X"},
		{"but not if what is left does not hang as long as the timeout", func(_ context.Context, in string) error {
			if in == "words and X" {
				return &executor.Exit{Err: errors.New("exit status 2"), Hang: true, Input: args(in)}
			}
			return context.DeadlineExceeded
		}, "words and X"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.opts.KeepGoing, l.opts.Minimize.Time, l.opts.MaxExecs = true, time.Minute, 5000
			found := false
			l.fuzz = func(ctx context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if found {
					return allOf(m), nil
				}
				found = true
				return executor.Fuzzed{}, tt.dies(context.WithoutCancel(ctx), "words and X")
			}
			l.run = func(ctx context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if strings.Contains(data, "X") {
					return wire.Ran{}, tt.dies(ctx, data)
				}
				return pass, nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != 1 {
				t.Fatalf("Run = %+v, %v, want one finding", out.Findings, err)
			}
			if out.Final.Verifying <= 0 || out.Final.Verifying > out.Final.Elapsed {
				t.Errorf("the finding took %v of %v", out.Final.Verifying, out.Final.Elapsed)
			}
			f := out.Findings[0]
			if in := string(f.Input[0].Data); in != tt.want || l.checkFile(f.Path) != in || f.Message == "" && f.Kind == finding.Hang {
				t.Errorf("the finding is %v %q with %q, want %q", f.Kind, f.Message, in, tt.want)
			}
			if names := l.files(l.opts.CorpusDir); len(names) != 1 {
				t.Errorf("the files are %v, want the one of the finding", names)
			}
		})
	}
}

func TestATargetWhoseSeedsFailIsFuzzedNevertheless(t *testing.T) {
	for _, tt := range []struct {
		name     string
		seeds    []string
		fails    func(in string) bool // of all that is executed
		want     string               // entry that the first request mutates
		findings int
	}{
		{"from the zero value", []string{"bad", "worse"}, func(in string) bool { return in != "" }, "", 1},
		{"from a failing seed, if the zero value fails", []string{"bad"}, func(string) bool { return true }, "bad", 1},
		{"from the zero value, if there is no seed and it fails", nil, func(string) bool { return true }, "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds(tt.seeds...)
			l.opts.KeepGoing, l.opts.MaxExecs = true, 50000
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if tt.fails(data) {
					return ranFailing(failedAt(1)), nil
				}
				return pass, nil
			}
			first, passed := "none", 0
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
				if first == "none" {
					first = f.known[m.ID]
				}
				if m.Study && tt.fails(f.known[m.ID]) && f.known[m.ID] != "passes" {
					t.Errorf("comparisons of %q shall be recorded, which fails", f.known[m.ID])
				}
				if f.known[m.ID] == "passes" {
					passed++
					return allOf(m), nil
				}
				found(novel("passes"))
				return failing("mutant", failedAt(1)), nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != tt.findings || out.Final.Execs < 50000 {
				t.Errorf("Run = %+v with %d executions, %v, want %d findings and all executions", out.Findings, out.Final.Execs, err, tt.findings)
			}
			if !strings.HasPrefix(first, tt.want) || tt.want == "" && first != "" || passed == 0 {
				t.Errorf("the first request mutates %q, want %q; a mutant that passes was mutated %d times", first, tt.want, passed)
			}
		})
	}
}

func TestMinimizingAsideTakesNoLongerThanFuzzingDid(t *testing.T) {
	for _, tt := range []struct {
		name  string
		kind  finding.Kind
		found time.Duration
		limit time.Duration // -fuzzminimizetime
		want  time.Duration
	}{
		{"at once", finding.Panic, 0, 0, minAside},
		{"after a while", finding.Fatal, 12 * time.Second, 0, 12 * time.Second},
		{"late", finding.Panic, time.Hour, 0, maxAside},
		{"late, and the process ends", finding.Hang, time.Hour, 0, maxAsideDead},
		{"for as long as the user says", finding.Hang, time.Hour, 2 * time.Second, 2 * time.Second},
	} {
		r := newEngine(Options{KeepGoing: true, Settings: Settings{Minimize: Budget{Time: tt.limit}}})
		if got := r.verifier.minimizer.limit(&finding.Finding{Kind: tt.kind, Found: tt.found}); got != tt.want {
			t.Errorf("%s: minimizing takes up to %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestSeedsAreReadInTheNextTurnIfOneEndsBefore(t *testing.T) {
	l := newLab(t)
	l.opts.Kinds, l.opts.KeepGoing, l.opts.MaxExecs, l.opts.SeedDir = nil, true, 50, t.TempDir()
	if _, _, err := storeIn(l.opts.SeedDir, nil).Save(args("given")); err != nil {
		t.Fatal(err)
	}
	l.hello.Seeds = [][]byte{packed("added")}
	ran := map[string]bool{}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		ran[data] = true
		return pass, nil
	}
	o := l.options()
	start, end := o.Start, func() {}
	o.Start = func(ctx context.Context) (Worker, wire.Hello, error) {
		end()
		return start(ctx)
	}
	target := New(o)
	ctx, cancel := context.WithCancel(t.Context())
	end = cancel
	if err := target.Fuzz(ctx, time.Second, 0, 1); err != nil || len(ran) > 0 {
		t.Errorf("a turn that ended before the seeds were read: %v, executed %v", err, ran)
	}
	if err := target.Fuzz(t.Context(), time.Minute, 0, 1); err != nil || len(ran) != 2 || !ran["given"] || !ran["added"] {
		t.Errorf("the next turn: %v, executed %v; want both seeds", err, ran)
	}
}

func TestTimeBetweenTurnsDoesNotCount(t *testing.T) {
	r := newEngine(newLab(t).options())
	m := r.meter.now()
	if d := r.meter.since(m); d != 0 {
		t.Errorf("%v are past before the first turn", d)
	}
	r.meter.spent, r.meter.warmedAt = time.Minute, timestamp{at: 40 * time.Second}
	if d := r.meter.since(m); d != 20*time.Second {
		t.Errorf("%v are past after a minute with a warm-up of 40 s", d)
	}
}

func TestWorkersThatAreKilledTogetherAreNotKilledAgainAndAgain(t *testing.T) {
	const workers = 2 * maxKilled
	l := newLab(t)
	l.seeds("seed")
	l.opts.KeepGoing, l.opts.Restart, l.parallel, l.opts.MaxExecs = true, true, workers, 1<<30
	var all sync.WaitGroup
	all.Add(workers)
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if f.number > workers {
			return executor.Fuzzed{Done: wire.Done{Execs: l.opts.MaxExecs}}, nil
		}
		all.Done()
		all.Wait()
		return executor.Fuzzed{}, &executor.Exit{Err: fmt.Errorf("signal %d: killed", f.number), External: true, Execs: m.Execs} // a reason of its own: gnaw prints each reason once
	}
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Errorf("Run: %v", err)
	}
	if n := len(restartsOf(l)); n != workers {
		t.Errorf("%d of %d processes were started again", n, workers)
	}
}

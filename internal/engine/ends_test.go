package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// startTurn returns an engine of the lab in the middle of a turn.
func startTurn(t *testing.T, l *lab) *engine {
	r := newEngine(l.options())
	r.turn.outer = t.Context()
	r.turn.ctx, r.turn.cancel = context.WithCancel(t.Context())
	t.Cleanup(r.turn.cancel)
	return r
}

func TestTheEndOfATurnIsNoFailureOfAnEntry(t *testing.T) {
	for _, tt := range []struct {
		name     string
		fuzzed   executor.Fuzzed
		err      error
		failures int
	}{
		{"a turn that ends by its time", executor.Fuzzed{}, context.DeadlineExceeded, 0},
		{"a turn that is interrupted", executor.Fuzzed{}, context.Canceled, 0},
		{"a mutant that ends its process", executor.Fuzzed{}, hangOf("bad"), 1},
		{"a mutant that fails", failing("bad", failedAt(7)), nil, 1},
		{"mutants that pass", executor.Fuzzed{}, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.KeepGoing = true
			l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
				return tt.fuzzed, tt.err
			}
			r := startTurn(t, l)
			e := &schedule.Entry{Args: args("seed"), Duration: time.Microsecond}
			r.addEntry(e)
			r.entries.markFailing(e.ID)
			s := &slot{}
			if err := r.pool.ensure(r.turn.ctx, s, 0); err != nil {
				t.Fatal(err)
			}
			err := r.perform(s, &request{requests: r.requests, entry: e, fuzz: wire.Fuzz{ID: e.ID}})
			if err != nil && !errors.Is(err, tt.err) || r.warmup.failures != tt.failures {
				t.Errorf("%d failures of the entry are noted (%v), want %d", r.warmup.failures, err, tt.failures)
			}
		})
	}
}

func TestWorkersWaitForTheLastCheckOfAnOracle(t *testing.T) {
	l := newLab(t)
	l.opts.KeepGoing, l.opts.MaxExecs, l.opts.Oracles = true, 100, oracle.Defaults()
	r := startTurn(t, l)
	r.meter.execs = 100
	r.queue.quick = append(r.queue.quick, args("a"))
	chosen := r.turn.choose(r.next)
	if _, isOracles := chosen.(*oracleTask); !isOracles {
		t.Fatalf("the first worker shall do %+v, want one of the oracles", chosen)
	}
	if other, wait, err := r.next(); err != nil || other != nil || !wait {
		t.Errorf("another worker shall do %+v and wait: %v; want that it waits", other, wait)
	}
}

// The worker has died by a seed, and the turn ends before the next one has started.
func TestACheckForWhichNoWorkerStartsIsMadeInTheNextTurn(t *testing.T) {
	l := newOracleLab(t, func(*fakeWorker, string, oracle.Set) []oracle.Report { return nil })
	l.opts.Oracles.On, l.opts.MaxExecs = oracle.Leak, 0
	l.seeds("a", "deadly")
	var end context.CancelFunc // of the turn
	turn := 1
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "deadly" {
			return wire.Ran{}, &executor.Exit{Err: errors.New("exit status 3"), Input: args(data)}
		}
		return pass, nil
	}
	l.startErr = func(number int) error {
		if number == 2 && turn == 1 {
			end()
			return context.Canceled
		}
		return nil
	}
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		end()
		return executor.Fuzzed{}, nil
	}
	target := New(l.options())
	for ; turn <= 2; turn++ {
		ctx, cancel := context.WithCancel(t.Context())
		end = cancel
		if err := target.Fuzz(ctx, time.Minute, 0, 1); err != nil {
			t.Fatal(err)
		}
		cancel()
		if want := turn - 1; len(l.checked) != want {
			t.Errorf("after turn %d %q are checked, want %d", turn, l.checked, want)
		}
	}
	checkGoroutines(t)
}

func TestAHangIsNotReplayedWhenNoMoreFindingsAreTaken(t *testing.T) {
	l := newLab(t)
	l.opts.PlainReplay = true
	r := startTurn(t, l)
	r.ledger.closed = true
	if err := r.verifier.died(&slot{}, hangOf("X"), nil); err != nil {
		t.Error(err)
	}
	if len(l.replayed) > 0 || len(r.ledger.findings) > 0 || len(l.files(l.opts.CorpusDir)) > 0 {
		t.Errorf("%v were replayed, the findings are %v", l.replayed, r.ledger.findings)
	}
}

func TestAFileThatIsReplayedStaysIfSomebodyElseNeedsIt(t *testing.T) {
	for _, tt := range []struct {
		name      string
		before    bool // the file is the user's
		meanwhile func(r *engine) (own bool, err error)
		stays     bool
	}{
		{"nobody else", false, func(*engine) (bool, error) { return true, nil }, false},
		{"the user, before", true, func(*engine) (bool, error) { return true, nil }, true},
		{"the user, and another worker replays it too", true, func(r *engine) (bool, error) {
			_, _, err := r.verifier.replays.checkFile(&finding.Finding{Kind: finding.Hang, Input: args("X")})
			return true, err
		}, true},
		{"another worker, which replays it too", false, func(r *engine) (bool, error) {
			_, _, err := r.verifier.replays.checkFile(&finding.Finding{Kind: finding.Hang, Input: args("X")})
			return true, err
		}, false},
		{"another worker, which has found that it fails", false, func(r *engine) (bool, error) {
			f := &finding.Finding{Input: args("X")}
			err := r.files.write(f)
			return f.Own, err
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			o := l.options()
			var r *engine
			replays := 0
			path := filepath.Join(o.CorpusDir, nameOf(args("X")))
			o.Replay = func(context.Context, proof.Execution, *finding.Finding) (proof.Verdict, error) {
				if replays++; replays == 1 {
					if own, err := tt.meanwhile(r); err != nil || !own {
						t.Errorf("meanwhile: %v, %v", own, err)
					}
				}
				l.checkFile(path) // it is there for as long as the replay takes
				return proof.Slow, nil
			}
			r = newEngine(o)
			r.turn.outer, r.turn.ctx = t.Context(), t.Context()
			r.files.missing = disk.Missing(o.CorpusDir)
			if tt.before {
				if _, _, err := storeIn(o.CorpusDir, nil).Save(args("X")); err != nil {
					t.Fatal(err)
				}
			}
			if _, replayed, err := r.verifier.replays.checkFile(&finding.Finding{Kind: finding.Hang, Input: args("X")}); err != nil || !replayed {
				t.Errorf("beforehand: %v, %v", replayed, err)
			}
			if _, err := os.Stat(path); (err == nil) != tt.stays {
				t.Errorf("the file is there: %v, want %v", err == nil, tt.stays)
			}
			if _, err := os.Stat(filepath.Dir(o.CorpusDir)); (err == nil) != tt.stays {
				t.Errorf("its folders are there: %v, want %v", err == nil, tt.stays)
			}
		})
	}
}

// A disk that is full is so for the cache too, and for all who have found something.
func TestWhatCannotBeWrittenIsReportedWhateverElseGoesWrong(t *testing.T) {
	for _, tt := range []struct {
		name string
		find func(r *engine, s *slot, data string) error
	}{
		{"a failure", func(r *engine, s *slot, data string) error {
			return r.verifier.failed(s, wire.Failed{Input: packed(data), Output: failedAt(7)}, nil)
		}},
		{"too much memory", func(r *engine, s *slot, data string) error {
			return r.verifier.died(s, &executor.Exit{Err: errors.New("exit status 2"), Cause: shm.Memory, Input: args(data)}, nil)
		}},
		{"what an oracle says", func(r *engine, s *slot, data string) error {
			return r.oracles.reported(s, reported{args(data), leak("p.wait")})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newOracleLab(t, func(*fakeWorker, string, oracle.Set) []oracle.Report { return []oracle.Report{leak("p.wait")} })
			if err := os.MkdirAll(filepath.Dir(l.opts.CorpusDir), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(l.opts.CorpusDir, nil, 0o600); err != nil { // there is a file where the directory should be
				t.Fatal(err)
			}
			r := startTurn(t, l)
			r.fail(errors.New("the cache is full"))
			r.fail(tt.find(r, &slot{}, "precious"))
			if r.turn.err == nil || !strings.Contains(r.turn.err.Error(), "the cache is full") {
				t.Errorf("the error is %v, want the first one", r.turn.err)
			}
			f := (&Fuzzer{r}).Outcome().Finding
			if f == nil || f.Path != "" || f.Why == "" || string(f.Input[0].Data) != "precious" {
				t.Fatalf("the finding is %+v, want one without a file, and why", f)
			}
			if l.checkFile(f.Kept) != "precious" {
				t.Errorf("its input was not kept at %q", f.Kept)
			}
		})
	}
}

func TestAFailingInputOfTheWarmUpDoesNotHoldUpTheOthers(t *testing.T) {
	for _, tt := range []struct {
		name              string
		keepGoing, linger bool
		done              int // inputs of the warm-up when the seed is reported
	}{
		{"in a run that keeps going", true, false, 1},
		{"in one that goes on for a while, after another failure", false, true, 1},
		{"in one that it ends", false, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.KeepGoing = tt.keepGoing
			r := startTurn(t, l)
			if tt.linger {
				r.Grace = Grace{time.Hour, time.Hour, time.Hour}
				r.ledger.mu.Lock()
				r.ledger.extendGrace()
				r.ledger.mu.Unlock()
				defer r.ledger.grace.timer.Stop()
			}
			seed := &warmEntry{name: "seed bad", args: args("bad"), isSeed: true}
			r.warmup.total = 1
			reported := -1
			l.on = func(e event.Event) {
				if _, isSeed := e.(event.SeedFailed); isSeed {
					reported = r.Snapshot().WarmDone
				}
			}
			r.OnEvent = l.event
			if err := r.verifier.failed(&slot{}, wire.Failed{Input: packed("bad"), Output: failedAt(7)}, seed); err != nil {
				t.Fatal(err)
			}
			if reported != tt.done || r.warmup.done != tt.done {
				t.Errorf("%d inputs of the warm-up are done when the seed is reported, and %d behind, want %d", reported, r.warmup.done, tt.done)
			}
		})
	}
}

func TestAFailureAtTheEndOfATurnIsReplayed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		passes  bool // plain go test does
		stopped bool // by the user
		counts  bool
		flaky   bool
	}{
		{"it fails again", false, false, true, false},
		{"it passes", true, false, true, true},
		{"it fails again when the run is being stopped", false, true, true, false},
		{"it passes when the run is being stopped", true, true, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.passes = tt.passes
			r := startTurn(t, l)
			r.turn.cancel() // its time is over
			if tt.stopped {
				r.turn.outer = r.turn.ctx
			}
			if err := r.verifier.failed(&slot{}, wire.Failed{Input: packed("bad"), Output: failedAt(7)}, nil); err != nil {
				t.Fatal(err)
			}
			found, files := eventsOf[foundEvent](l), l.files(l.opts.CorpusDir)
			if len(l.replayed) != 1 || len(found) != len(files) || (len(found) == 1) != tt.counts || len(r.ledger.findings) != len(found) {
				t.Fatalf("%d replays, it is reported %+v, and there is %q; want one replay, and that it counts: %v", len(l.replayed), found, files, tt.counts)
			}
			if tt.counts && (found[0].Finding.Replays != 1 || found[0].Finding.Flaky != tt.flaky) {
				t.Errorf("it is reported %+v; want one replay, and that it is flaky: %v", found[0].Finding, tt.flaky)
			}
		})
	}
}

// A signal to all processes may reach the target a moment before gnaw has heard of it.
func TestWhatShowsJustBeforeTheRunIsStoppedIsReplayed(t *testing.T) {
	for _, passes := range []bool{true, false} {
		l := newLab(t)
		l.passes = passes
		r := startTurn(t, l)
		outer, stop := context.WithCancel(t.Context())
		r.turn.outer = outer
		r.Minimize.Execs = 10
		l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
			stop()
			return pass, nil
		}
		s := &slot{}
		if err := r.pool.ensure(r.turn.ctx, s, 0); err != nil {
			t.Fatal(err)
		}
		if err := r.verifier.failed(s, wire.Failed{Input: packed("bad"), Output: failedAt(7)}, nil); err != nil {
			t.Fatal(err)
		}
		want := 1
		if passes {
			want = 0
		}
		if n := len(eventsOf[foundEvent](l)); n != want || len(r.ledger.findings) != want || len(l.files(l.opts.CorpusDir)) != want || len(l.replayed) != 1 {
			t.Errorf("%d findings are reported, and %q is left, after %d replays; want %d, after one", n, l.files(l.opts.CorpusDir), len(l.replayed), want)
		}
	}
}

func TestASeedThatFailsJustBeforeTheRunIsStoppedIsReplayed(t *testing.T) {
	for _, passes := range []bool{true, false} {
		l := newLab(t)
		l.passes = passes
		r := startTurn(t, l)
		outer, stop := context.WithCancel(t.Context())
		r.turn.outer, r.KeepGoing = outer, true
		note := r.OnEvent
		r.OnEvent = func(e event.Event) {
			note(e)
			if _, ok := e.(event.SeedFailed); ok {
				stop()
			}
		}
		s := &slot{}
		if err := r.pool.ensure(r.turn.ctx, s, 0); err != nil {
			t.Fatal(err)
		}
		seed := &warmEntry{name: "seed#0", args: input.Args{{Kind: input.Bytes, Data: []byte("bad")}}, isSeed: true}
		if err := r.verifier.failed(s, wire.Failed{Input: packed("bad"), Output: failedAt(7)}, seed); err != nil {
			t.Fatal(err)
		}
		want := 1
		if passes {
			want = 0
		}
		if n := len(eventsOf[foundEvent](l)); n != want || len(r.ledger.findings) != want {
			t.Errorf("%d findings are reported, and %d kept, want %d", n, len(r.ledger.findings), want)
		}
	}
}

func TestAWantOfMemoryIsReplayedAsLongAsTheResultIsNew(t *testing.T) {
	same := []uint64{4096, 4096, 4096, 4096, 4096}
	for _, tt := range []struct {
		name    string
		asked   []uint64 // by each of the inputs; 0: not reported
		passes  bool     // plain go test does
		closed  bool     // no more findings are taken
		replays int      // to try it out, and to prove the finding
	}{
		{"until it is a finding", same, false, false, 1 + replaysOfMany},
		{"until it has passed a few times", same, true, false, maxPassed},
		{"until it has passed a few times, if nobody tells how much was asked for", make([]uint64, 5), true, false, maxPassed},
		{"once more if clearly more is asked for than what passed", []uint64{64, 4096, 64, 4100, 8192, 4096}, true, false, maxPassed + 1},
		{"not if no more findings are taken", same, false, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.KeepGoing, l.passes = true, tt.passes
			r := startTurn(t, l)
			r.ledger.closed = tt.closed
			for i, asked := range tt.asked {
				stderr := "fatal error: runtime: cannot allocate memory\n\ngoroutine 1 [running]:\n"
				if asked > 0 {
					stderr = fmt.Sprintf("runtime: out of memory: cannot allocate %d-byte block (99 in use)\nfatal error: out of memory\n\ngoroutine 1 [running]:\n", asked)
				}
				in := args(string(rune('a' + i)))
				if err := r.verifier.died(&slot{}, &executor.Exit{Err: errors.New("exit status 2"), Input: in, Stderr: stderr}, nil); err != nil {
					t.Fatal(err)
				}
			}
			if len(l.replayed) != tt.replays {
				t.Errorf("%d replays, want %d", len(l.replayed), tt.replays)
			}
		})
	}
}

// A target may want what only one process can have, such as a port.
func TestFuzzingGoesOnWithTheWorkersThatStart(t *testing.T) {
	const reason = "--- FAIL: FuzzX (0.00s)\n    x_test.go:9: start the environment: address already in use"
	busy := &executor.StartError{Err: io.EOF, Wait: errors.New("exit status 70"), Code: 70, Stderr: reason}
	for _, tt := range []struct {
		name    string
		refused func(number int) bool
		times   int
		want    error
	}{
		{"the first one only", func(number int) bool { return number > 1 }, 2, nil},
		{"all but one", func(number int) bool { return number == 2 }, 1, nil},
		{"none any more", func(number int) bool { return number > 1 }, 3, busy},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("a", "b", "c", "d")
			l.parallel, l.opts.MaxExecs, l.opts.KeepGoing, l.opts.Restart = 3, 1000, true, true
			refused, enough := 0, make(chan struct{})
			l.startErr = func(number int) error {
				if !tt.refused(number + refused) {
					return nil
				}
				if refused++; refused == min(tt.times, 2) {
					close(enough)
				}
				return busy
			}
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				<-enough // or one worker would do all
				if tt.want != nil {
					return wire.Ran{}, killed()
				}
				return pass, nil
			}
			out, err := l.goFuzz(t.Context())
			if !errors.Is(err, tt.want) || err == nil && (out.Final.Execs != 1000 || out.Final.Workers != 3-tt.times) {
				t.Errorf("Run = %+v, %v; want %v", out.Final, err, tt.want)
			}
			warnings := warningsOf(l)
			if refused != tt.times || len(warnings) != 1 || !strings.Contains(warnings[0].Text, reason) {
				t.Errorf("the warnings are %q, want one with the reason", warnings)
			}
		})
	}
}

// What plain go test does not run, such as in a module that is read only, is not lost when the run is being stopped.
func TestWhatGoTestDoesNotRunIsReplayedWhenTheRunIsStopped(t *testing.T) {
	for _, fails := range []bool{true, false} {
		l := newLab(t)
		l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
			if fails {
				return wire.Ran{Failed: true, Output: failedAt(7)}, nil
			}
			return pass, nil
		}
		o := l.options()
		o.Replay = func(context.Context, proof.Execution, *finding.Finding) (proof.Verdict, error) {
			return 0, &proof.NotRunError{Why: "FuzzX calls Skip there"}
		}
		r := newEngine(o)
		r.turn.ctx, r.turn.cancel = context.WithCancel(t.Context())
		r.turn.cancel()
		r.turn.outer = r.turn.ctx
		if err := r.verifier.failed(&slot{}, wire.Failed{Input: packed("bad"), Output: failedAt(7)}, nil); err != nil {
			t.Fatal(err)
		}
		found := eventsOf[foundEvent](l)
		if (len(found) == 1) != fails {
			t.Fatalf("fails: %v; it is reported %+v", fails, found)
		}
		if fails && (found[0].Finding.NotRun == "" || found[0].Finding.Flaky || found[0].Finding.Replays == 0) {
			t.Errorf("it is reported %+v, want a proof by a process of its own", found[0].Finding)
		}
	}
}

// The system kills a process when all of them together need more memory than there is, which proves nothing.
func TestAReplayOfAWantOfMemoryThatIsKilledIsMadeAgain(t *testing.T) {
	for _, tt := range []struct {
		name              string
		killed            int // processes of the proof
		replays, failures int
	}{
		{"no process is killed", 0, replaysOfMany, replaysOfMany},
		{"two processes are killed", 2, replaysOfMany, replaysOfMany},
		{"all are killed", 1000, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.KeepGoing = true
			killed := 0
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				if killed < tt.killed {
					killed++
					return wire.Ran{}, &executor.Exit{Err: errors.New("signal: killed"), External: true, Stage: shm.Running, Input: args("bad")}
				}
				return wire.Ran{}, tooMuch("bad")
			}
			r := startTurn(t, l)
			f := &finding.Finding{Kind: finding.Memory, Input: args("bad")}
			r.verifier.memory.prove(&slot{}, f, 64<<20)
			if f.Replays != tt.replays || f.Failures != tt.failures {
				t.Errorf("%d of %d executions are over the limit, want %d of %d", f.Failures, f.Replays, tt.failures, tt.replays)
			}
		})
	}
}

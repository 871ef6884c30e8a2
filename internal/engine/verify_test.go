package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

func TestAFailingSeedIsNotWrittenAgain(t *testing.T) {
	l := newLab(t)
	l.seeds("good", "bad", "good too")
	l.opts.Minimize.Time = time.Minute
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "bad" {
			return ranFailing(failedAt(7)), nil
		}
		return pass, nil
	}
	out, err := l.goFuzz(t.Context())
	f := out.Finding
	if err != nil || f == nil || f.Seed != "seed bad" || f.Path != "" || f.Place != "x_test.go:7" || f.Kind != finding.Failure {
		t.Fatalf("Run = %+v, %v", f, err)
	}
	if names := l.files(l.opts.CorpusDir); len(names) != 0 {
		t.Errorf("the files %v were written", names)
	}
	if s := eventsOf[event.SeedFailed](l); len(s) != 1 || s[0].Seed != "seed bad" || len(eventsOf[foundEvent](l)) != 1 {
		t.Errorf("the events are %+v", l.events)
	}
}

func TestAFailingCachedEntryIsAFinding(t *testing.T) {
	l := newLab(t)
	l.cache("bad")
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { return ranFailing(failedAt(7)), nil }
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || out.Finding.Seed != "" {
		t.Fatalf("Run = %+v, %v", out.Finding, err)
	}
	if want := filepath.Join(l.opts.CorpusDir, nameOf(args("bad"))); out.Finding.Path != want || l.checkFile(want) != "bad" {
		t.Errorf("the finding is in %s, want %s", out.Finding.Path, want)
	}
}

func TestTheFirstFindingWins(t *testing.T) {
	for range 20 {
		l := newLab(t)
		l.seeds("seed")
		l.parallel = 3
		var barrier sync.WaitGroup
		barrier.Add(3)
		l.fuzz = func(_ context.Context, f *fakeWorker, _ wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
			barrier.Done()
			barrier.Wait() // all three find something at once
			return failing(fmt.Sprint("of worker ", f.number), failedAt(f.number)), nil
		}
		l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
			if data == "seed" {
				return pass, nil
			}
			return ranFailing(failedAt(1)), nil
		}
		out, err := l.goFuzz(t.Context())
		if err != nil || out.Finding == nil {
			t.Fatalf("Run = %+v, %v", out, err)
		}
		if names, found := l.files(l.opts.CorpusDir), eventsOf[foundEvent](l); len(names) != 1 || len(found) != 1 || found[0].Finding != out.Finding {
			t.Errorf("%d files were written and %d findings announced, want 1", len(names), len(found))
		}
		if l.preempted == 0 {
			t.Error("the other workers were not asked to rest")
		}
	}
}

// failsWith makes the target fail at line 7 for inputs with an X, and panic for others with a Y.
func failsWith(data string) wire.Ran {
	switch {
	case strings.Contains(data, "X"):
		return ranFailing(failedAt(7) + "    with " + data + "\n")
	case strings.Contains(data, "Y"):
		return ranFailing("    testing.go:1: panic: no\n")
	}
	return pass
}

func TestMinimizingKeepsKindAndPlace(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.Minimize.Time = time.Minute
	const original = "some words Y and X and Y again"
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing(original, failsWith(original).Output), nil
	}
	l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		// While there is something to lose, something is on disk.
		if names := l.files(l.opts.CorpusDir); data != "seed" && len(names) != 1 {
			t.Errorf("while %q is tried, the files are %v", data, names)
		} else if data != "seed" && f.number == 1 && l.checkFile(filepath.Join(l.opts.CorpusDir, names[0])) != original {
			t.Errorf("while %q is tried, the file does not have the original", data)
		}
		return failsWith(data), nil
	}
	out, err := l.goFuzz(t.Context())
	f := out.Finding
	if err != nil || f == nil {
		t.Fatalf("Run = %+v, %v", f, err)
	}
	if string(f.Input[0].Data) != "X" || string(f.Original[0].Data) != original || f.Place != "x_test.go:7" || f.Flaky {
		t.Errorf("the finding is %+v, want X at line 7", f)
	}
	if !strings.Contains(f.Output, "with X\n") {
		t.Errorf("the output %q is not that of the minimized input", f.Output)
	}
	if names := l.files(l.opts.CorpusDir); len(names) != 1 || l.checkFile(f.Path) != "X" {
		t.Errorf("the files are %v, want one with X", names)
	}
	if m := eventsOf[event.Minimize](l); len(m) != 1 || m[0].Size != len(input.Marshal(args(original))) {
		t.Errorf("the events are %+v", l.events)
	}
	if len(l.replayed) != 1 {
		t.Errorf("replayed %q, want the finding", l.replayed)
	}
}

func TestWhatMinimizingComesAcrossIsAFindingToo(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.KeepGoing, l.opts.Minimize.Time, l.opts.MaxExecs = true, time.Minute, 5000
	const original = "some words Y and X and Y again"
	found := false
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if found {
			return allOf(m), nil
		}
		found = true
		return failing(original, failsWith(original).Output), nil
	}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) { return failsWith(data), nil }
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 2 {
		t.Fatalf("Run = %+v, %v, want two findings", out.Findings, err)
	}
	for i, want := range []string{"X", "Y"} {
		f := out.Findings[i]
		if string(f.Input[0].Data) != want || l.checkFile(f.Path) != want || f.Replays != replaysOfMany || f.Flaky {
			t.Errorf("finding %d is %+v, want it minimized to %s, and proved", i, f, want)
		}
	}
	if names := l.files(l.opts.CorpusDir); len(names) != 2 || len(eventsOf[foundEvent](l)) != 2 {
		t.Errorf("the files are %v, and %d findings are reported, want two", names, len(eventsOf[foundEvent](l)))
	}
}

// Where nothing can be left out of the first input of a finding, another one may be smaller.
func TestMinimizingGoesOnFromASmallerInputOfTheFinding(t *testing.T) {
	const first, other = "this and no other text X", "{ short X"
	for _, tt := range []struct{ name, like, want string }{
		{"that fails in the same way", "X", "{X"},
		{"but not from one that does not", "Y", first},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.opts.KeepGoing, l.opts.Minimize.Time, l.opts.MaxExecs = true, time.Minute, 5000
			found := false
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if found {
					return allOf(m), nil
				}
				found = true
				return failing(first, failsWith(first).Output), nil
			}
			var target *Fuzzer
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				r := target.engine
				r.ledger.mu.Lock()
				defer r.ledger.mu.Unlock()
				if len(r.ledger.findings) > 0 { // as if another worker had found it
					r.ledger.others[r.ledger.findings[0]] = withSmaller(r.ledger.others[r.ledger.findings[0]], args(strings.ReplaceAll(other, "X", tt.like)))
				}
				if data == first || strings.HasPrefix(data, "{") {
					return failsWith(data), nil
				}
				return pass, nil
			}
			target = New(l.options())
			if err := target.Fuzz(t.Context(), time.Minute, 0, 1); err != nil {
				t.Fatal(err)
			}
			out := target.Outcome()
			if f := out.Findings[0]; string(f.Input[0].Data) != tt.want || l.checkFile(f.Path) != tt.want {
				t.Errorf("the first finding is %+v, want it with %q", f, tt.want)
			}
		})
	}
}

// A smaller input of a finding that was reported is minimized, proved and reported too.
func TestASmallerInputOfAFindingIsReported(t *testing.T) {
	for _, tt := range []struct {
		name, later string
		passes      bool // the replay of the later input
		want        int  // how many are reported
	}{
		{"that is smaller", "{ short X", false, 1},
		{"that is larger", "{ a text that is longer than the first X", false, 0},
		{"that fails by chance", "{ short X", true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const first = "this and no other text X"
			l := newLab(t)
			l.seeds("seed")
			l.opts.KeepGoing, l.opts.Minimize.Time, l.opts.MaxExecs = true, time.Minute, 5000
			l.replay = func(data string, _ finding.Kind) proof.Verdict {
				if tt.passes && data != first {
					return proof.Passes
				}
				return proof.Fails
			}
			inputs := []string{first, tt.later}
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if len(inputs) == 0 {
					return allOf(m), nil
				}
				in := inputs[0]
				inputs = inputs[1:]
				return failing(in, failsWith(in).Output), nil
			}
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if (data == first || strings.HasPrefix(data, "{")) && strings.Contains(data, "X") {
					return failsWith(data), nil
				}
				return pass, nil
			}
			out, err := l.goFuzz(t.Context())
			reported := eventsOf[smallerEvent](l)
			if err != nil || len(out.Findings) != 1 || len(eventsOf[foundEvent](l)) != 1 || len(reported) != tt.want {
				t.Fatalf("Run = %+v, %v, and %d smaller inputs are reported, want one finding and %d", out.Findings, err, len(reported), tt.want)
			}
			for _, e := range reported {
				if f := e.Finding; string(f.Input[0].Data) != "{X" || f.Failures != replaysOfMany || l.checkFile(f.Path) != "{X" {
					t.Errorf("the smaller one is %+v, want it minimized and proved", f)
				}
			}
			if names := l.files(l.opts.CorpusDir); len(names) != 1+tt.want {
				t.Errorf("the files are %v, want those of what was reported", names)
			}
		})
	}
}

func TestWhatMinimizingComesAcrossIsLeftWhenTheRunIsOver(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l.opts.KeepGoing, l.opts.Minimize.Time, l.opts.MaxExecs = true, time.Minute, 5000
	const original = "some words Y and X and Y again"
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing(original, failsWith(original).Output), nil
	}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) { return failsWith(data), nil }
	l.on = func(e event.Event) {
		if _, found := e.(foundEvent); found { // as with -failfast
			cancel()
		}
	}
	target := New(l.options())
	if err := target.Fuzz(ctx, time.Minute, 0, 1); err != nil {
		t.Fatal(err)
	}
	if out := target.Outcome(); len(out.Findings) != 1 || string(out.Findings[0].Input[0].Data) != "X" {
		t.Errorf("the findings are %+v, want the first one", out.Findings)
	}
	if names := l.files(l.opts.CorpusDir); len(names) != 1 {
		t.Errorf("the files are %v, want one", names)
	}
}

func TestMinimizeLimitIsExact(t *testing.T) {
	for _, limit := range []int{1, 2, 7, 15} {
		l := newLab(t)
		l.seeds("seed")
		l.opts.Minimize.Execs = limit
		long := strings.Repeat("abcdefghij", 20) + "X"
		l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
			return failing(long, failsWith(long).Output), nil
		}
		runs := 0
		l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
			runs++
			return failsWith(data), nil
		}
		out, err := l.goFuzz(t.Context())
		if err != nil || out.Finding == nil {
			t.Fatalf("Run = %+v, %v", out, err)
		}
		if runs != 1+limit || len(l.replayed) != 1 { // the seed and the candidates
			t.Errorf("limit %d: %d executions besides fuzzing, want %d; replayed: %q", limit, runs, 1+limit, l.replayed)
		}
		if out.Final.Execs != uint64(1+1+limit) {
			t.Errorf("limit %d: %d executions are reported, want %d", limit, out.Final.Execs, 2+limit)
		}
	}
}

func TestWithoutLimitsNothingIsMinimized(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if m.Trim != wire.TrimNothing {
			t.Error("new entries shall be trimmed although nothing shall be minimized")
		}
		return failing("many words and X", failedAt(7)), nil
	}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) { return failsWith(data), nil }
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || string(out.Finding.Input[0].Data) != "many words and X" {
		t.Errorf("Run = %+v, %v", out.Finding, err)
	}
	if m := eventsOf[event.Minimize](l); len(m) != 0 {
		t.Errorf("the events are %+v", l.events)
	}
}

// The last execution of all may be the one that fails: it is minimized and replayed all the same.
func TestAFindingAtTheLimitIsTreatedLikeOthers(t *testing.T) {
	for range 20 {
		l := newLab(t)
		l.seeds("seed")
		l.parallel, l.opts.MaxExecs, l.opts.Minimize.Execs = 3, 4, 1000
		l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
			if l.count(&l.execs); m.Execs != 1 {
				t.Errorf("%d executions are granted, want 1", m.Execs)
			}
			return failing("words and X", failedAt(7)), nil
		}
		l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) { return failsWith(data), nil }
		out, err := l.goFuzz(t.Context())
		if err != nil || out.Finding == nil || string(out.Finding.Input[0].Data) != "X" {
			t.Fatalf("Run = %+v, %v, want the finding minimized to X", out.Finding, err)
		}
		if len(l.replayed) != 1 || l.replayed[0] != filepath.Base(out.Finding.Path) {
			t.Errorf("replayed %q, want the finding", l.replayed)
		}
	}
}

func TestAFindingThatDoesNotRepeatIsFlaky(t *testing.T) {
	l := newLab(t)
	l.passes = true
	l.seeds("seed")
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("once", failedAt(7)), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || !out.Finding.Flaky || l.checkFile(out.Finding.Path) != "once" {
		t.Errorf("Run = %+v, %v, want a flaky finding on disk", out.Finding, err)
	}
}

func TestACandidateThatEndsTheProcessEndsMinimizing(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.Minimize.Time = time.Minute
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("words and X", failedAt(7)), nil
	}
	tries := 0
	l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		if f.number == 1 && data != "seed" {
			if tries++; tries == 4 {
				return wire.Ran{}, &executor.Exit{Err: errors.New("exit status 2"), Input: args(data)}
			}
		}
		return failsWith(data), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || out.Finding.Flaky || tries != 4 {
		t.Fatalf("Run = %+v, %v after %d candidates", out.Finding, err, tries)
	}
	if in := string(out.Finding.Input[0].Data); !strings.Contains(in, "X") || l.checkFile(out.Finding.Path) != in {
		t.Errorf("the finding has %q, want what was reached with an X in it", in)
	}
}

func TestTheTimeForMinimizingEndsIt(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.Minimize.Time = 10 * time.Millisecond
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("words and X", failedAt(7)), nil
	}
	l.run = func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		if f.number == 1 && data != "seed" {
			<-ctx.Done() // a candidate that takes too long
			return wire.Ran{}, ctx.Err()
		}
		return failsWith(data), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || string(out.Finding.Input[0].Data) != "words and X" || out.Finding.Flaky {
		t.Errorf("Run = %+v, %v, want the finding as it was found", out.Finding, err)
	}
}

// The place where failing inputs belong is a file, not a directory.
func TestAFindingThatCannotBeWrittenIsReplayedByAProcessOfItsOwn(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cached bool // there is a cache
		again  func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error)
		flaky  bool
		kept   bool
	}{
		{"it fails again", true, failsAlways, false, true},
		{"it passes then", true, func(context.Context, *fakeWorker, string) (wire.Ran, error) { return wire.Ran{Execs: 1}, nil }, true, true},
		{"there is no cache", false, failsAlways, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			if err := os.MkdirAll(filepath.Dir(l.opts.CorpusDir), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(l.opts.CorpusDir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if !tt.cached {
				l.opts.CacheDir = ""
			}
			l.opts.Minimize.Time = 0
			l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
				return failing("precious", failedAt(7)), nil
			}
			l.run = func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error) {
				if data == "precious" {
					return tt.again(ctx, f, data)
				}
				return wire.Ran{Execs: 1}, nil
			}
			out, err := l.goFuzz(t.Context())
			if f := out.Finding; err != nil || f == nil || f.Path != "" || f.Why == "" || f.Replays == 0 || f.Flaky != tt.flaky {
				t.Fatalf("Run = %+v, %v, want a finding without a file that was executed again", f, err)
			}
			if len(l.replayed) > 0 {
				t.Errorf("go test was started for %q, which are not there", l.replayed)
			}
			if tt.kept && l.checkFile(out.Finding.Kept) != "precious" || !tt.kept && out.Finding.Kept != "" {
				t.Errorf("it was kept at %q", out.Finding.Kept)
			}
		})
	}
}

func failsAlways(context.Context, *fakeWorker, string) (wire.Ran, error) {
	return wire.Ran{Execs: 1, Failed: true, Output: failedAt(7)}, nil
}

func TestTheUserSeesTheDirectoryUnderItsOwnName(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.WriteDir, l.opts.CorpusDir = l.opts.CorpusDir, "testdata/fuzz/FuzzX"
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("X", failedAt(7)), nil
	}
	r := newEngine(l.opts)
	f := &finding.Finding{Input: args("X")}
	err := r.files.write(f)
	if name := nameOf(args("X")); err != nil || f.Path != "testdata/fuzz/FuzzX/"+name {
		t.Errorf("write shows %s (%v)", f.Path, err)
	}
	if a, err := corpus.Read(filepath.Join(l.opts.WriteDir, nameOf(args("X"))), corpus.GoTest(bytesKind)); err != nil || !a.Equal(args("X")) {
		t.Errorf("the file has %v (%v)", a, err)
	}
}

// exitCode returns the error of a process that ended with the code.
func exitCode(t *testing.T, code int) error {
	t.Helper()
	err := exec.Command("sh", "-c", fmt.Sprintf("exit %d", code)).Run()
	if err == nil {
		t.Fatal("the shell did not exit as asked")
	}
	return err
}

func TestAProcessThatDiesIsAFinding(t *testing.T) {
	tests := []struct {
		name   string
		exit   executor.Exit
		kind   finding.Kind
		output string
	}{
		{"exit code", executor.Exit{Err: exitCode(t, 3)}, finding.Exit, "fuzzing process hung or terminated unexpectedly: exit status 3"},
		{"exit in peace", executor.Exit{}, finding.Exit, "fuzzing process hung or terminated unexpectedly: exit status 0"},
		{"panic elsewhere", executor.Exit{Err: exitCode(t, 2), Stderr: "panic: boom\n\ngoroutine 7 [running]:\n"}, finding.Fatal, "panic: boom"},
		{"hang", executor.Exit{Err: exitCode(t, 2), Hang: true, Timeout: time.Second, Stderr: "SIGQUIT: quit\n"}, finding.Hang, "one execution took longer than 1s"},
		{"hang, killed", executor.Exit{Err: errors.New("signal: killed"), Hang: true, External: true, Timeout: time.Second}, finding.Hang, "one execution took longer than 1s"},
		{"while trimming", executor.Exit{Err: exitCode(t, 2), Stage: shm.Trimming}, finding.Exit, "fuzzing process hung or terminated unexpectedly while minimizing: EOF"},
	}
	for _, tt := range tests {
		for _, warm := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/warm=%v", tt.name, warm), func(t *testing.T) {
				l := newLab(t)
				l.cache("entry")
				l.opts.Minimize.Time = time.Minute
				die := func(data string) error { e := tt.exit; e.Input = args(data); return &e }
				l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
					if warm || data != "entry" {
						return wire.Ran{}, die(data)
					}
					return pass, nil
				}
				l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
					return executor.Fuzzed{}, die("killer")
				}
				out, err := l.goFuzz(t.Context())
				f := out.Finding
				if err != nil || f == nil || f.Kind != tt.kind || !strings.Contains(f.Output, tt.output) || f.Flaky {
					t.Fatalf("Run = %+v, %v, want a %v with %q", f, err, tt.kind, tt.output)
				}
				if want := map[bool]string{false: "killer", true: "entry"}[warm]; l.checkFile(f.Path) != want {
					t.Errorf("%s does not hold %q", f.Path, want)
				}
				if len(eventsOf[event.Minimize](l)) != 0 {
					t.Error("an input that ends the process is minimized")
				}
			})
		}
	}
}

func TestDeathsThatAreNoFault(t *testing.T) {
	const ours = "goroutine 1 [running]:\ninternal/fuzz/gnaw/probe/worker.(*worker).study(...)\n\t/go/solve.go:3 +0x1\n"
	const oursWant = "gnaw itself has failed in the process of the target, please report that: "
	survived := &wire.Failed{
		Input:  input.Append(nil, args("x")),
		Output: strings.ReplaceAll("    testing.go:7: panic: no\n"+ours, "\n", "\n        "),
	}
	tests := []struct {
		name   string
		failed *wire.Failed
		err    error
		want   string
	}{
		{"internal failure", nil, &executor.Exit{Err: exitCode(t, 70), Input: args("x"), Stderr: "why"}, "internal failure"},
		{"nothing was executed", nil, &executor.Exit{Err: exitCode(t, 2)}, "exit status 2"},
		{"too large to be recorded", nil, &executor.Exit{Err: exitCode(t, 2), Unrecorded: true, Stderr: "why"}, "exit status 2; the input has more than 63 MiB, so gnaw could not record it; use smaller seeds. The process printed:\nwhy"},
		{"closed pipes behind one that is too large", nil, &executor.Exit{Err: exitCode(t, 2), Cause: shm.Lost, Unrecorded: true}, "It did so with one of the last inputs"},
		{"it takes no request", nil, &executor.Exit{Err: errors.New("signal: killed"), Stuck: true, Input: args("x")}, "the worker did not read its request"},
		{"garbage", nil, &executor.ProtocolError{Err: errors.New("invalid character")}, "communicating with fuzzing process: invalid character"},
		{"a panic of gnaw's", nil, &executor.Exit{Err: exitCode(t, 2), Input: args("x"), Stderr: "panic: no\n\n" + ours}, oursWant},
		{"a panic of gnaw's that fails the T", survived, nil, oursWant},
		{"killed", nil, &executor.Exit{Err: errors.New("signal: killed"), External: true, Input: args("x")}, "fuzzing process terminated by unexpected signal; no crash will be recorded: signal: killed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.parallel = 2
			l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
				return executor.Fuzzed{Failed: tt.failed}, tt.err
			}
			out, err := l.goFuzz(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) || out.Finding != nil {
				t.Errorf("Run = %+v, %v, want an error with %q", out.Finding, err, tt.want)
			}
			if names := l.files(l.opts.CorpusDir); len(names) != 0 {
				t.Errorf("the files %v were written", names)
			}
		})
	}
}

// killed is a worker that someone has killed.
func killed() error {
	return &executor.Exit{Err: errors.New("signal: killed"), External: true, Input: args("x"), Execs: 1}
}

func TestAKilledWorkerIsStartedAgain(t *testing.T) {
	for _, stage := range []string{"start", "warm-up", "first input", "fuzzing"} {
		t.Run(stage, func(t *testing.T) {
			l := newLab(t)
			if stage != "first input" {
				l.seeds("a", "b")
			}
			l.parallel, l.opts.MaxExecs, l.opts.Restart = 2, 1000, true
			var deaths atomic.Int32
			l.startErr = func(int) error {
				if stage == "start" && deaths.Add(1) <= 2 {
					return &executor.StartError{Err: io.EOF, External: true}
				}
				return nil
			}
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				if (stage == "warm-up" || stage == "first input") && deaths.Add(1) <= 2 {
					return wire.Ran{}, killed()
				}
				return pass, nil
			}
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if stage == "fuzzing" && deaths.Add(1) <= 2 {
					return executor.Fuzzed{}, killed()
				}
				return allOf(m), nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || out.Finding != nil || out.Final.Execs != 1000 || out.Final.WarmDone != out.Final.WarmTotal {
				t.Errorf("Run = %+v, %v", out, err)
			}
			if n := len(restartsOf(l)); n != 1 {
				t.Errorf("%d restarts are announced, want 1: both have the same reason", n)
			}
		})
	}
}

func TestAWorkerThatIsKilledAgainAndAgainIsNotStarted(t *testing.T) {
	for _, stage := range []string{"warm-up", "fuzzing"} {
		t.Run(stage, func(t *testing.T) {
			l := newLab(t)
			l.seeds("a")
			l.opts.Restart = true
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				if stage == "warm-up" {
					return wire.Ran{}, killed()
				}
				return pass, nil
			}
			l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
				return executor.Fuzzed{}, killed()
			}
			_, err := l.goFuzz(t.Context())
			if err == nil || !strings.Contains(err.Error(), "unexpected signal") || len(l.workers) != maxKilled+1 {
				t.Errorf("Run = %v after %d workers, want an error after %d", err, len(l.workers), maxKilled+1)
			}
		})
	}
}

// A container has less memory than -memlimit allows, so that the system ends the process first.
func TestAProcessThatTheSystemEndsForWantOfMemoryHasUsedTooMuch(t *testing.T) {
	for _, tt := range []struct {
		name    string
		limit   uint64
		greedy  bool // the input needs too much in a process of its own too
		finding bool
	}{
		{"the limit is above what there is", 1 << 30, true, true},
		{"there is no limit", 0, true, true},
		{"another process needs too much", 1 << 30, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.opts.MaxExecs, l.opts.MemLimit, l.opts.MemRoom, l.opts.MemShare, l.opts.Restart = 1000, tt.limit, 400<<20, 300<<20, true
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if f.number == 1 {
					return executor.Fuzzed{}, &executor.Exit{
						Err: errors.New("signal: killed"), External: true, Stage: shm.Fuzzing, Input: args("greedy"), Execs: 1,
					}
				}
				return allOf(m), nil
			}
			l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) {
				if data != "greedy" {
					return pass, nil
				}
				if f.setup.MemLimit != 300<<20 || !f.setup.Resident {
					t.Errorf("it is executed again with %+v, want a limit of 300 MiB for what is really used", f.setup)
				}
				if tt.greedy {
					return wire.Ran{}, tooMuch("greedy")
				}
				return pass, nil
			}
			out, err := l.goFuzz(t.Context())
			restarts := len(restartsOf(l))
			if err != nil || (len(out.OverLimit) > 0) != tt.finding || (restarts == 0) != tt.finding || out.Final.Execs != 1000 {
				t.Errorf("Run = %+v, %v, after %d restarts; want a finding: %v", out, err, restarts, tt.finding)
			}
			for _, f := range l.workers[2:] {
				if tt.finding && f.setup.MemLimit > 300<<20 {
					t.Errorf("worker %d has a limit of %d bytes, which are not there", f.number, f.setup.MemLimit)
				}
			}
		})
	}
}

// tooMuch is a worker that ended itself because an input needed too much memory.
func tooMuch(data string) error {
	return &executor.Exit{
		Err: errors.New("exit status 2"), Cause: shm.Memory, Input: args(data),
		Stderr: "fatal error: memory limit of 64 MiB exceeded: the heap holds 65 MiB\n",
	}
}

// greedyFails executes inputs of which one needs too much memory.
func greedyFails(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
	if data == "greedy" {
		return wire.Ran{}, tooMuch(data)
	}
	return pass, nil
}

// What many executions leave behind is no fault of the input that is under way when it is too much.
func TestAProcessThatHasGrownIsReplaced(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.MaxExecs, l.opts.MemLimit = 1000, 64<<20
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if f.number <= 5 { // each other one executes the input apart
			return executor.Fuzzed{}, tooMuch("modest")
		}
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding != nil || out.Final.Execs != 1000 || len(l.files(l.opts.CorpusDir)) > 0 {
		t.Errorf("Run = %+v, %+v, %v, want no finding after 1000 executions", out.Finding, out.Final, err)
	}
	if n := len(warningsOf(l)); n != 1 {
		t.Errorf("there are %d warnings, want 1", n)
	}
}

func TestAnInputThatUsesTooMuchMemoryEndsNothing(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.parallel, l.opts.MaxExecs, l.opts.MemLimit = 3, 1000, 64<<20
	l.run = greedyFails
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if !f.setup.Resident {
			return executor.Fuzzed{}, tooMuch("greedy")
		}
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	f := out.Finding
	if err != nil || f == nil || f.Kind != finding.Memory || l.checkFile(f.Path) != "greedy" || out.Final.Execs != 1000 {
		t.Errorf("Run = %+v, %+v, %v, want the greedy input after 1000 executions", f, out.Final, err)
	}
	if n := len(eventsOf[event.OverLimit](l)); n != 1 {
		t.Errorf("%d such inputs are announced, want 1", n)
	}
}

func TestTooMuchMemoryIsConfirmedInOtherProcesses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		always bool
		want   int
	}{{"too much each time", true, replaysOfMany}, {"too much once", false, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("seed")
			l.opts.MaxExecs, l.opts.MemLimit, l.opts.KeepGoing = 1000, 64<<20, true
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if !f.setup.Resident {
					return executor.Fuzzed{}, tooMuch("greedy")
				}
				return allOf(m), nil
			}
			runs := 0
			l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) {
				if data != "greedy" {
					return pass, nil
				}
				if f.setup.MemLimit != 64<<20 {
					t.Errorf("it is executed with a limit of %d bytes", f.setup.MemLimit)
				}
				if runs++; tt.always || runs == 1 {
					return wire.Ran{}, tooMuch("greedy")
				}
				return pass, nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.OverLimit) != 1 {
				t.Fatalf("Run = %+v, %v", out.OverLimit, err)
			}
			f := out.OverLimit[0]
			if f.Replays != replaysOfMany || f.Failures != tt.want || f.Flaky != (tt.want < replaysOfMany) {
				t.Errorf("Run = %+v, %v, want %d of %d replays", f, err, tt.want, replaysOfMany)
			}
		})
	}
}

func TestAnInputThatUsesTooMuchMemoryIsForgottenForABug(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if f.number == 1 {
			return executor.Fuzzed{}, tooMuch("greedy")
		}
		return failing("bug", failedAt(7)), nil
	}
	l.run = func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		if data == "bug" {
			return ranFailing(failedAt(7)), nil
		}
		return greedyFails(ctx, f, data)
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || out.Finding.Kind != finding.Failure {
		t.Errorf("Run = %+v, %v, want the failure", out.Finding, err)
	}
}

func TestSeedsThatUseTooMuchMemory(t *testing.T) {
	for _, tt := range []struct {
		name    string
		seeds   []string
		fuzzing bool // there is something left to mutate
	}{
		{"one of two", []string{"greedy", "modest"}, true},
		{"the last of two", []string{"modest", "greedy"}, true},
		{"all", []string{"greedy", "greedy too"}, false},
		{"zero values", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds(tt.seeds...)
			l.parallel, l.opts.MaxExecs = 2, 1000
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if data == "modest" {
					return pass, nil
				}
				return wire.Ran{}, tooMuch(data)
			}
			var fuzzed atomic.Bool
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				fuzzed.Store(true)
				return allOf(m), nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || out.Finding == nil || out.Finding.Kind != finding.Memory {
				t.Errorf("Run = %+v, %v, want the greedy input", out.Finding, err)
			}
			if fuzzed.Load() != tt.fuzzing {
				t.Errorf("something was mutated: %v, want %v", fuzzed.Load(), tt.fuzzing)
			}
			if n := len(eventsOf[event.WarmedUp](l)); len(tt.seeds) > 0 && n != 1 {
				t.Errorf("the end of the warm-up is announced %d times, want once", n)
			}
		})
	}
}

func TestAProcessWithoutMemoryIsAFindingIfPlainGoTestFailsToo(t *testing.T) {
	for _, passes := range []bool{false, true} {
		l := newLab(t)
		l.passes = passes
		l.seeds("seed")
		l.opts.MaxExecs = 100
		first := true
		l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
			if l.count(&l.execs); first {
				first = false
				stderr := "fatal error: runtime: cannot allocate memory\n\ngoroutine 1 [running]:\n"
				return executor.Fuzzed{}, &executor.Exit{Err: errors.New("exit status 2"), Input: args("greedy"), Stderr: stderr}
			}
			return executor.Fuzzed{Done: wire.Done{Execs: m.Execs}}, nil
		}
		l.run = func(_ context.Context, _ *fakeWorker, _ string) (wire.Ran, error) { return wire.Ran{Execs: 1}, nil }
		out, err := l.goFuzz(t.Context())
		if err != nil || out.Finding == nil || out.Finding.Kind != finding.Memory || l.checkFile(out.Finding.Path) != "greedy" {
			t.Fatalf("passes=%v: Run = %+v, %v", passes, out.Finding, err)
		}
		if went := out.Final.Execs > 50; went != passes {
			t.Errorf("passes=%v: the run ends after %d executions", passes, out.Final.Execs)
		}
	}
}

func TestOneFileIsLeftOfAFailureForWantOfMemory(t *testing.T) {
	for _, keepGoing := range []bool{false, true} {
		l := newLab(t)
		l.seeds("seed")
		l.opts.MaxExecs, l.opts.KeepGoing, l.opts.Grace = 1000, keepGoing, Grace{time.Hour, time.Hour, time.Hour}
		inputs := []string{"greedy", "greedy too", "greedy again"}
		l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
			if len(inputs) == 0 {
				return allOf(m), nil
			}
			in := inputs[0]
			inputs = inputs[1:]
			stderr := "fatal error: runtime: cannot allocate memory\n\ngoroutine 1 [running]:\n"
			return executor.Fuzzed{}, &executor.Exit{Err: errors.New("exit status 2"), Input: args(in), Stderr: stderr}
		}
		out, err := l.goFuzz(t.Context())
		if err != nil || len(out.Findings) != 1 || out.Findings[0].Kind != finding.Memory {
			t.Fatalf("keepGoing=%v: Run = %+v, %v, want one finding", keepGoing, out.Findings, err)
		}
		if names := l.files(l.opts.CorpusDir); len(names) != 1 || l.checkFile(out.Findings[0].Path) != "greedy" {
			t.Errorf("keepGoing=%v: the files are %v, want that of the finding", keepGoing, names)
		}
	}
}

func TestAFileOfTheUserStaysWhenItsContentIsMinimized(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.Minimize.Execs = 1000
	if _, _, err := storeIn(l.opts.CorpusDir, nil).Save(args("words and X")); err != nil {
		t.Fatal(err)
	}
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("words and X", failedAt(7)), nil
	}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) { return failsWith(data), nil }
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || l.checkFile(out.Finding.Path) != "X" {
		t.Fatalf("Run = %+v, %v, want the finding minimized to X", out.Finding, err)
	}
	if names := l.files(l.opts.CorpusDir); len(names) != 2 {
		t.Errorf("the files are %v, want that of the user and the minimized one", names)
	}
}

// A suggestion that ends the process must not be the next one to be tried.
func TestSuggestionsGoOnBehindADeadlyOne(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.Restart = true
	var skips []uint64
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if skips = append(skips, m.Skip); len(skips) == 4 {
			return failing("X", failedAt(7)), nil
		}
		return executor.Fuzzed{}, &executor.Exit{
			Err: errors.New("signal: killed"), External: true, Execs: 500, Tried: []uint64{7, shm.Untried, 7}[len(skips)-1], Input: args("deadly"),
		}
	}
	l.opts.MaxExecs, l.parallel = 1<<20, 1
	l.run = func(_ context.Context, _ *fakeWorker, _ string) (wire.Ran, error) {
		return wire.Ran{Execs: 1, Nanos: 1, Edges: 1}, nil
	}
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []uint64{0, 7, 7, 8}; !slices.Equal(skips, want) {
		t.Errorf("suggestions were skipped as %v, want %v", skips, want)
	}
}

func TestAnInputOfTooMuchMemoryIsMinimizedUnderTheLimit(t *testing.T) {
	const limit = 64 << 20
	l := newLab(t)
	l.seeds("seed")
	l.opts.MaxExecs, l.opts.MemLimit, l.opts.KeepGoing, l.opts.Minimize.Time = 1000, limit, true, time.Minute
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if f.setup.MemLimit == limit {
			return executor.Fuzzed{}, tooMuch("long and Greedy")
		}
		return allOf(m), nil
	}
	l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		needs := uint64(0)
		switch {
		case strings.Contains(data, "G"):
			needs = 4 * limit
		case strings.Contains(data, "y"):
			needs = limit + 1 // which may be less another time, so it is no smaller input of the same
		}
		if needs > f.setup.MemLimit && !f.setup.Resident {
			return wire.Ran{}, tooMuch(data)
		}
		return pass, nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.OverLimit) != 1 || string(out.OverLimit[0].Input[0].Data) != "G" {
		t.Fatalf("Run = %+v, %v", out.OverLimit, err)
	}
	if last := l.workers[len(l.workers)-1]; last.setup.MemLimit != 2*limit || !last.setup.Resident {
		t.Errorf("the run goes on with %+v", last.setup)
	}
}

// Package testing ends a process with that code when it fails itself; a target may do so, too.
func TestATargetMayEndWithTheCodeOfAnInternalFailure(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return executor.Fuzzed{}, &executor.Exit{Err: exitCode(t, internalExitCode), Input: args("x"), Stage: shm.Fuzzing}
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil || out.Finding.Kind != finding.Exit {
		t.Errorf("Run = %+v, %v, want an exit", out.Finding, err)
	}
}

// A callback may replay a finding that the run could not replay.
func TestACallbackMayProveAFinding(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.KeepGoing, l.opts.MaxExecs = true, 4
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("X", failedAt(7)), nil
	}
	o := l.options()
	broken := errors.New("the binary is gone")
	o.Replay = func(context.Context, proof.Execution, *finding.Finding) (proof.Verdict, error) { return 0, broken }
	target := New(o)
	var proofs []error
	l.on = func(e event.Event) {
		if e, ok := e.(foundEvent); ok {
			_, err := target.Prove(t.Context(), e.Finding)
			proofs = append(proofs, err)
		}
	}
	done := make(chan error, 1)
	go func() { done <- target.Fuzz(t.Context(), 0, 0, 1) }()
	select {
	case err := <-done:
		if err != nil || len(proofs) != 1 || !errors.Is(proofs[0], broken) {
			t.Errorf("Fuzz: %v; the proofs: %v", err, proofs)
		}
	case <-time.After(time.Minute):
		t.Fatal("the run does not end")
	}
}

// Two workers may exceed the limit at the same time. The proof of each needs the limit that it has exceeded.
func TestEachInputHasExceededTheFirstLimit(t *testing.T) {
	l := newLab(t)
	l.opts.MemLimit = 1 << 20
	r := startTurn(t, l)
	for range 3 {
		if first := r.pool.raiseLimit(); first != 1<<20 {
			t.Errorf("an input has exceeded %d bytes, want 1 MiB", first)
		}
	}
	if limit, ok := r.pool.unraised(); ok || limit != maxMemRaise<<20 {
		t.Fatalf("the limit is %d bytes, want %d MiB", limit, maxMemRaise)
	}
}

// The error of a worker ends the run, and not what another one says that has nothing to do any more.
func TestTheErrorOfAWorkerIsThatOfTheRun(t *testing.T) {
	for range 300 {
		l := newLab(t)
		l.parallel = 2
		l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
			return wire.Ran{}, &executor.Exit{Err: errors.New("exit status 2"), Cause: shm.Lost, Input: args("")}
		}
		if _, err := l.goFuzz(t.Context()); err == nil || errors.Is(err, errNothing) {
			t.Fatalf("Run = %v, want that the pipes are closed", err)
		}
	}
}

// The turn of a run that ends with the first failure may wait for executions, but not for what minimizing makes smaller.
func TestTheEndOfTheTimeEndsMinimizing(t *testing.T) {
	for _, tt := range []struct {
		name    string
		minimum time.Duration // of -fuzzminimizetime
		spent   time.Duration // of a turn of a minute
		want    time.Duration
	}{
		{"there is time", time.Second, 0, time.Second},
		{"the time ends first", time.Minute, 50 * time.Second, 10 * time.Second},
		{"there is no limit but the time", 0, 50 * time.Second, 10 * time.Second},
		{"the time is over", time.Minute, time.Hour, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			c := l.useClock()
			l.opts.Minimize.Time = tt.minimum
			e := newEngine(l.options())
			e.meter.begin(time.Minute)
			c.advance(tt.spent)
			if got := e.verifier.minimizer.limit(&finding.Finding{}); got != tt.want {
				t.Errorf("the limit is %v, want %v", got, tt.want)
			}
		})
	}
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestLargeInputsAreAnnouncedOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		seeds []string
		want  int
	}{
		{"small seeds", []string{"a", strings.Repeat("b", largeInput-1)}, 0},
		{"large seeds", []string{"a", strings.Repeat("b", largeInput), strings.Repeat("c", 3*largeInput)}, 1},
	} {
		l := newLab(t)
		l.seeds(tt.seeds...)
		l.opts.MaxExecs = 10
		l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { return pass, nil }
		if _, err := l.goFuzz(t.Context()); err != nil {
			t.Fatal(err)
		}
		notices := eventsOf[event.Notice](l)
		if len(notices) != tt.want || tt.want > 0 && !strings.Contains(notices[0].Text, " of 1.0 MiB for the first time; ") {
			t.Errorf("%s: there are %d notices, want %d", tt.name, len(notices), tt.want)
		}
	}
}

func TestWarmUpExecutesEachInputOnceInOrder(t *testing.T) {
	l := newLab(t)
	l.seeds("b", "a", "b") // the third is the first again
	cached := l.cache("c", "a", "d", "e")
	l.opts.MaxExecs = 50
	var order []string
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		order = append(order, data)
		return pass, nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding != nil {
		t.Fatalf("Run = %+v, %v", out, err)
	}
	want := []string{"b", "a"}
	for _, c := range cached {
		if c != "a" {
			want = append(want, c)
		}
	}
	if !slices.Equal(order, want) {
		t.Errorf("warm-up executed %q, want %q", order, want)
	}
	warm := eventsOf[event.WarmedUp](l)
	if len(warm) != 1 || warm[0].WarmDone != 5 || warm[0].WarmTotal != 5 || warm[0].WarmingUp {
		t.Errorf("WarmedUp = %+v, want one with 5 of 5", warm)
	}
	if s := out.Final; s.Execs != 50 || s.Entries != 5 || s.New != 0 || s.WarmDone != 5 {
		t.Errorf("the final snapshot is %+v", s)
	}
}

func TestNothingIsFuzzedBeforeTheWarmUpIsOver(t *testing.T) {
	l := newLab(t)
	l.parallel, l.opts.MaxExecs = 3, 1000
	for i := range 20 {
		l.seeds(fmt.Sprint(i))
	}
	var done, announced atomic.Int32
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { done.Add(1); return pass, nil }
	l.on = func(e event.Event) {
		if _, ok := e.(event.WarmedUp); ok {
			announced.Store(1)
		}
	}
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if done.Load() != 20 || announced.Load() == 0 {
			t.Errorf("fuzzing begins after %d of 20 inputs, announced: %d", done.Load(), announced.Load())
		}
		return allOf(m), nil
	}
	if out, err := l.goFuzz(t.Context()); err != nil || out.Final.Execs != 1000 {
		t.Errorf("Run = %+v, %v", out, err)
	}
}

func TestAnEmptyCorpusStartsWithZeroValues(t *testing.T) {
	l := newLab(t)
	l.opts.MaxExecs = 100
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data != "" {
			t.Errorf("the first input is %q, want an empty one", data)
		}
		return wire.Ran{Execs: 3, Nanos: 1000, Added: []cover.Feature{0}, Edges: 1, Features: []cover.Feature{0}}, nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if w := warningsOf(l); len(w) != 1 || w[0].Text != "starting with empty corpus" {
		t.Errorf("the warnings are %q", w)
	}
	if n := eventsOf[event.Entry](l); len(n) != 1 || len(l.files(l.opts.CacheDir)) != 1 || out.Final.New != 1 {
		t.Errorf("%d entries were reported, %d saved, want 1: %+v", len(n), len(l.files(l.opts.CacheDir)), out.Final)
	}
}

func TestEachEntryIsReportedOnceItIsOnDisk(t *testing.T) {
	for _, tt := range []struct {
		name                string
		seeds, cached, want []string
	}{
		{"a seed, a cached entry and a new one", []string{"seed"}, []string{"cached"}, []string{"cached, given: true", "new, given: false", "seed, given: true"}},
		{"zero values without a seed", nil, nil, []string{", given: false", "new, given: false"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.MaxExecs = 100
			l.seeds(tt.seeds...)
			l.cache(tt.cached...)
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				return wire.Ran{Execs: 1, Nanos: 1000, Added: []cover.Feature{0}, Edges: 1, Features: []cover.Feature{0}}, nil
			}
			var once sync.Once
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
				once.Do(func() { found(novel("new")) })
				return allOf(m), nil
			}
			var got, second []string
			l.opts.OnEntry = []func(Kept){func(k Kept) {
				data := string(k.Args[0].Data)
				if data != "seed" && l.checkFile(k.Path) != data {
					t.Errorf("the entry %q is reported with the file %q", data, k.Path)
				}
				got = append(got, fmt.Sprintf("%s, given: %v", data, k.Given))
			}, func(k Kept) {
				second = append(second, fmt.Sprintf("%s, given: %v", k.Args[0].Data, k.Given))
				if !slices.Equal(got, second) {
					t.Errorf("behind the first subscriber, which has the entries %q, the second one has %q", got, second)
				}
			}}
			if _, err := l.goFuzz(t.Context()); err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			if slices.Sort(second); !slices.Equal(got, tt.want) || !slices.Equal(second, tt.want) {
				t.Errorf("the entries are %q for one and %q for another subscriber, want %q", got, second, tt.want)
			}
		})
	}
}

func TestWithoutInstrumentationNothingIsTraced(t *testing.T) {
	l := newLab(t)
	l.hello.Counters, l.opts.MaxExecs = 0, 10
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Final.Instrumented || out.Final.New != 0 || out.Final.Execs != 10 {
		t.Errorf("Run = %+v, %v", out, err)
	}
	if w := warningsOf(l); len(w) != 2 || !strings.Contains(w[0].Text, "without coverage") {
		t.Errorf("the warnings are %q", w)
	}
}

func TestLimitsByExecutionsAreExact(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, limit := range []uint64{1, 2, 3, 4, 10, 100, 12345} {
			t.Run(fmt.Sprintf("workers=%d/limit=%d", workers, limit), func(t *testing.T) {
				l := newLab(t)
				l.seeds("a", "b", "c")
				l.parallel, l.opts.MaxExecs = workers, limit
				var made atomic.Uint64
				l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { made.Add(1); return pass, nil }
				l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
					if m.Execs == 0 {
						t.Error("a request has no limit")
					}
					r := allOf(m)
					if m.Execs > 5 && made.Load()%2 == 0 { // a new edge ends requests early
						r.Execs -= 2
					}
					made.Add(r.Execs)
					return r, nil
				}
				out, err := l.goFuzz(t.Context())
				if err != nil || made.Load() != limit || out.Final.Execs != limit {
					t.Errorf("%d executions were made, %d reported (%v), want %d", made.Load(), out.Final.Execs, err, limit)
				}
				if uint64(len(l.workers)) > limit {
					t.Errorf("%d workers were started for %d executions", len(l.workers), limit)
				}
			})
		}
	}
}

func TestTheEndOfTheTimeIsNoError(t *testing.T) {
	l := newLab(t)
	l.parallel, l.turn = 3, 30*time.Millisecond
	l.fuzz = func(ctx context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		<-ctx.Done() // a request that the end of the run cuts short
		if m.Execs%2 == 0 {
			return executor.Fuzzed{}, ctx.Err()
		}
		return allOf(m), nil
	}
	if out, err := l.goFuzz(t.Context()); err != nil || out.Finding != nil {
		t.Errorf("Run = %+v, %v, want neither finding nor error", out, err)
	}
}

func TestTheEndOfTheContextIsNoError(t *testing.T) {
	stages := map[string]func(l *lab, cancel func()){
		"before the start": func(_ *lab, cancel func()) { cancel() },
		"while starting": func(l *lab, cancel func()) {
			l.startErr = func(int) error { cancel(); return context.Canceled }
		},
		"while warming up": func(l *lab, cancel func()) {
			l.run = func(ctx context.Context, _ *fakeWorker, _ string) (wire.Ran, error) {
				cancel()
				return wire.Ran{}, ctx.Err()
			}
		},
		"while fuzzing": func(l *lab, cancel func()) {
			l.fuzz = func(ctx context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				cancel()
				return allOf(m), ctx.Err()
			}
		},
	}
	for name, stage := range stages {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			l := newLab(t)
			l.seeds("a", "b")
			l.parallel = 2
			stage(l, cancel)
			if out, err := l.goFuzz(ctx); err != nil || out.Finding != nil {
				t.Errorf("Run = %+v, %v, want neither finding nor error", out, err)
			}
		})
	}
}

func TestNewEntriesAreSavedOnce(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.parallel, l.opts.MaxExecs = 3, 3000
	var names, fuzzed sync.Map
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		fuzzed.Store(f.number, true)
		found(novel("seed"))             // it is in the corpus
		found(novel("the same for all")) // duplicates are dropped
		found(novel(fmt.Sprint("of ", f.number)))
		found(wire.New{Input: []byte("junk")}) // dropped as well
		return allOf(m), nil
	}
	l.on = func(e event.Event) {
		if e, ok := e.(event.Entry); ok {
			if _, twice := names.LoadOrStore(e.Path, e); twice {
				t.Errorf("%s is announced twice", e.Path)
			}
			if e.Buckets != 1 || e.Edges != 1 || e.Size == 0 {
				t.Errorf("announced %+v", e)
			}
		}
	}
	out, err := l.goFuzz(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := 1 // one that all find
	fuzzed.Range(func(any, any) bool { want++; return true })
	files := l.files(l.opts.CacheDir)
	if len(files) != want || out.Final.New != want || out.Final.Entries != want+1 {
		t.Errorf("%d entries are saved and %d counted, want %d", len(files), out.Final.New, want)
	}
}

func TestNewEntriesAreMutatedToo(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	var picked sync.Map
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		found(novel("found"))
		picked.Store(f.known[m.ID], true)
		if _, ok := picked.Load("found"); ok {
			cancel()
		}
		return allOf(m), nil
	}
	if _, err := l.goFuzz(ctx); err != nil {
		t.Error(err)
	}
}

func TestWithoutACacheEntriesAreOnlyCounted(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.CacheDir, l.opts.MaxExecs = "", 100
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		found(novel("new"))
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	if n := eventsOf[event.Entry](l); err != nil || out.Final.New != 1 || len(n) != 1 || n[0].Path != "" {
		t.Errorf("Run = %+v, %v with the entries %+v", out, err, n)
	}
}

func TestABadCacheFileIsSkipped(t *testing.T) {
	l := newLab(t)
	l.cache("good")
	if err := os.WriteFile(filepath.Join(l.opts.CacheDir, "bad"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.opts.MaxExecs = 10
	if out, err := l.goFuzz(t.Context()); err != nil || out.Final.WarmTotal != 1 {
		t.Errorf("Run = %+v, %v", out, err)
	}
	if w := warningsOf(l); len(w) != 1 || !strings.Contains(w[0].Text, filepath.Join(l.opts.CacheDir, "bad")) {
		t.Errorf("the warnings are %q, want one that names the file", w)
	}
}

func TestACacheThatIsRemovedEndsTheRun(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.fuzz = func(ctx context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		found(novel("new"))
		select { // a request that takes some time
		case <-ctx.Done():
		case <-time.After(10 * time.Millisecond):
		}
		return allOf(m), nil
	}
	l.on = func(e event.Event) {
		if _, ok := e.(event.Entry); ok {
			if err := os.RemoveAll(l.opts.CacheDir); err != nil {
				t.Error(err)
			}
		}
	}
	_, err := l.goFuzz(t.Context())
	if err == nil || !strings.Contains(err.Error(), "open "+l.opts.CacheDir) {
		t.Errorf("Run = %v, want an error that says what could not be opened", err)
	}
}

func TestACacheThatCannotBeWrittenEndsTheRun(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.parallel = 3
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		if err := os.WriteFile(l.opts.CacheDir, nil, 0o600); err != nil { // there is a file where the directory should be
			t.Error(err)
		}
		found(novel("new"))
		return allOf(m), nil
	}
	_, err := l.goFuzz(t.Context())
	if err == nil || !strings.Contains(err.Error(), filepath.Join(l.opts.CacheDir, nameOf(args("new")))) || !strings.Contains(err.Error(), "GOCACHE") {
		t.Errorf("Run = %v, want an error that names the file and says what to do", err)
	}
	if n := eventsOf[event.Entry](l); len(n) != 0 {
		t.Errorf("entries are announced that were not written: %+v", n)
	}
}

func TestAFirstWorkerThatDoesNotStartEndsTheRun(t *testing.T) {
	broken := errors.New("it does not start")
	l := newLab(t)
	l.parallel = 3
	l.startErr = func(int) error { return broken }
	if _, err := l.goFuzz(t.Context()); !errors.Is(err, broken) {
		t.Errorf("Run = %v, want %v", err, broken)
	}
}

// Something outside kills a process while it is set up: the write fails, and its first request shows why.
func TestAWorkerThatIsKilledBeforeItIsSetUpIsStartedAgain(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.Restart, l.opts.MaxExecs = true, 100
	l.setupErr = syscall.EPIPE
	l.run = func(_ context.Context, f *fakeWorker, _ string) (wire.Ran, error) {
		if f.number == 1 {
			l.setupErr = nil
			return wire.Ran{}, &executor.Exit{Err: errors.New("signal: killed"), External: true}
		}
		return pass, nil
	}
	if out, err := l.goFuzz(t.Context()); err != nil || out.Final.Execs != 100 || len(l.workers) != 2 {
		t.Errorf("Run = %+v, %v with %d processes, want 100 executions and no error, with 2", out.Final, err, len(l.workers))
	}
}

func TestWorkersAreSetUpDifferently(t *testing.T) {
	for _, race := range []bool{false, true} {
		l := newLab(t)
		l.seeds("a", "b", "c")
		l.parallel, l.opts.MaxExecs, l.opts.MemLimit = 3, 3000, 1<<30
		l.hello.Race = race
		var barrier sync.WaitGroup
		barrier.Add(3)
		l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
			barrier.Done()
			barrier.Wait() // all three have started
			return pass, nil
		}
		if _, err := l.goFuzz(t.Context()); err != nil {
			t.Fatal(err)
		}
		seeds := map[uint64]bool{}
		for _, f := range l.workers {
			seeds[f.setup.Seed] = true
			if (f.setup.MemLimit == 0) != race || f.setup.TrimMax == 0 {
				t.Errorf("race=%v: worker %d is set up with %+v", race, f.number, f.setup)
			}
		}
		if len(seeds) != 3 {
			t.Errorf("three workers have the random seeds %v", seeds)
		}
	}
}

// Without kinds, the engine asks the first worker for everything that the target says about itself.
func TestEachWorkerIsSentTheWordsOnceWhenTheyAreFound(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.parallel, l.opts.MaxExecs, l.opts.Restart = 2, 100_000, true
	var requests, deaths atomic.Int32
	released := make(chan struct{})
	l.opts.Words = func(context.Context) [][]byte {
		<-released
		return [][]byte{[]byte("one"), []byte("two")}
	}
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		switch n := requests.Add(1); {
		case n == 3:
			close(released) // fuzzing does not wait for the words
		case len(f.sent) > 0 && deaths.Add(1) == 1:
			return executor.Fuzzed{}, &executor.Exit{Err: errors.New("signal: killed"), External: true}
		default:
			time.Sleep(time.Millisecond)
		}
		return allOf(wire.Fuzz{Execs: min(m.Execs, 64)}), nil
	}
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(l.workers) != 3 {
		t.Fatalf("there were %d workers, want 3, since one died", len(l.workers))
	}
	for _, f := range l.workers {
		if len(f.sent) != 1 || f.sent[0] != "one two" {
			t.Errorf("worker %d was sent %q, want one two, once", f.number, f.sent)
		}
	}
}

func TestTheSearchForWordsEndsWithTheRun(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.MaxExecs = 10
	var ended atomic.Bool
	l.opts.Words = func(ctx context.Context) [][]byte {
		<-ctx.Done()
		ended.Store(true)
		return [][]byte{[]byte("too late")}
	}
	if _, err := l.goFuzz(t.Context()); err != nil || !ended.Load() {
		t.Errorf("Run = %v, and the search has ended: %v", err, ended.Load())
	}
	if sent := l.workers[0].sent; len(sent) > 0 {
		t.Errorf("a worker was sent %q", sent)
	}
}

func TestTheFirstWorkerSendsKindsAndSeeds(t *testing.T) {
	l := newLab(t)
	l.opts.Kinds = nil
	l.opts.SeedDir = filepath.Join(t.TempDir(), "seeds")
	l.hello.Seeds = [][]byte{packed("of F.Add"), packed("another")}
	l.opts.MaxExecs = 10
	if err := os.MkdirAll(l.opts.SeedDir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(l.opts.SeedDir, "mine")
	if err := os.WriteFile(file, input.Marshal(args("of a file")), 0o600); err != nil {
		t.Fatal(err)
	}
	var order []string
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		order = append(order, data)
		if data == "of a file" {
			return ranFailing(failedAt(1)), nil
		}
		return pass, nil
	}
	out, err := l.goFuzz(t.Context())
	if want := []string{"of F.Add", "another", "of a file"}; !slices.Equal(order, want) || err != nil {
		t.Errorf("warm-up executed %q (%v), want %q", order, err, want)
	}
	if out.Finding == nil || out.Finding.Seed != file {
		t.Errorf("the finding is %+v, want one in the seed %s", out.Finding, file)
	}
}

func TestSeedsThatDoNotFitAreErrors(t *testing.T) {
	t.Run("of F.Add", func(t *testing.T) {
		l := newLab(t)
		l.opts.Kinds = nil
		l.hello.Seeds = [][]byte{packed("good"), {0xff}}
		if _, err := l.goFuzz(t.Context()); err == nil || !strings.Contains(err.Error(), "2nd argument list of F.Add") {
			t.Errorf("Run = %v, want an error about the second F.Add", err)
		}
	})
	t.Run("of a file", func(t *testing.T) {
		l := newLab(t)
		l.opts.Kinds, l.opts.SeedDir = nil, t.TempDir()
		file := filepath.Join(l.opts.SeedDir, "bad")
		if err := os.WriteFile(file, []byte("nonsense"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := l.goFuzz(t.Context()); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("Run = %v, want an error that names %s", err, file)
		}
	})
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th"} {
		if got := ordinal(n); got != want {
			t.Errorf("ordinal(%d) = %s, want %s", n, got, want)
		}
	}
}

// The limit for the length of mutants follows the seeds that do not fail.
func TestMutantsMayBeLongerThanTheSeeds(t *testing.T) {
	for _, tt := range []struct{ seed, want int }{{0, 256}, {10, 256}, {1000, 1250}, {100 << 10, 125 << 10}} {
		l := newLab(t)
		l.seeds(strings.Repeat("x", tt.seed), strings.Repeat("!", 2000+tt.seed))
		l.opts.MaxExecs, l.opts.KeepGoing = 1000, true
		l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
			if strings.Contains(data, "!") {
				return ranFailing(failedAt(1)), nil
			}
			return pass, nil
		}
		l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
			if m.MaxLen != tt.want {
				t.Errorf("with a seed of %d bytes mutants have at most %d, want %d", tt.seed, m.MaxLen, tt.want)
			}
			return allOf(m), nil
		}
		if out, err := l.goFuzz(t.Context()); err != nil || out.Final.MaxLen != tt.want {
			t.Errorf("Run = %+v, %v", out, err)
		}
	}
}

// Most mutants of a short entry are short, also when nothing was new for so long that they may be long.
func TestLongMutantsOfShortEntriesAreRare(t *testing.T) {
	for _, tt := range []struct {
		name  string
		entry string
		seed  bool
		usual int
	}{
		{"a short seed", "short", true, minLen},
		{"an entry of another run", "short", false, minLen},
		{"a long seed", strings.Repeat("x", 400), true, 2 * 400},
		{"a long entry of another run", strings.Repeat("x", 400), false, 2 * 400},
	} {
		l := newLab(t)
		if tt.seed {
			l.seeds(tt.entry)
		} else {
			l.cache(tt.entry)
		}
		l.opts.Repeatable, l.opts.MaxExecs = true, 20*uint64(growAfter/nominal)
		requests, long := 0, 0
		l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
			if requests++; m.MaxLen > tt.usual {
				long++
			}
			return allOf(m), nil
		}
		out, err := l.goFuzz(t.Context())
		if err != nil || out.Final.MaxLen < 4*tt.usual || long == 0 || long > requests/longIn {
			t.Errorf("%s: Run = %+v, %v; %d of %d requests are for long mutants", tt.name, out.Final, err, long, requests)
		}
	}
}

// An entry that only goes through a loop more often than another one is not worth the time while edges are new.
func TestEntriesWithoutANewEdgeAreSolvedInCalm(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edges int
	}{{"with a new edge", 1}, {"without", 0}} {
		l := newLab(t)
		l.seeds("seed")
		l.opts.Repeatable = true
		calmExecs := uint64(calm / nominal)
		l.opts.MaxExecs = 2 * calmExecs
		l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
			return wire.Ran{Execs: 1, Nanos: 1000, Edges: tt.edges}, nil
		}
		var began uint64 // executions before the first request that solves
		solving := false
		var execs uint64
		l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
			if m.Solve && !solving {
				solving, began = true, execs
			}
			execs += m.Execs
			return allOf(m), nil
		}
		if _, err := l.goFuzz(t.Context()); err != nil {
			t.Fatal(err)
		}
		if late := began >= calmExecs-1; !solving || late != (tt.edges == 0) {
			t.Errorf("an entry %s: solving is %v, after %d executions", tt.name, solving, began)
		}
	}
}

// What a new entry does not need for its own edge may be what others go on from.
func TestHowSmallNewEntriesAreMade(t *testing.T) {
	calmExecs := uint64(calm / nominal)
	for _, tt := range []struct {
		name          string
		limit, execs  uint64
		warm          uint64 // executions of the warm-up
		minimizeLimit int
		without       technique.Set
		want          wire.Trim
	}{
		{"while edges are new", 0, calmExecs - 1, 0, 100, 0, wire.TrimGrown},
		{"when none was new for a second", 0, calmExecs, 0, 100, 0, wire.TrimAll},
		{"in a run of few executions", calmExecs, 0, 0, 100, 0, wire.TrimAll},
		{"at the start of a run of many", calmExecs + 1, 0, 0, 100, 0, wire.TrimGrown},
		{"behind a long warm-up", 0, 3 * calmExecs, 3*calmExecs - 1, 100, 0, wire.TrimGrown},
		{"a second behind a long warm-up", 0, 3 * calmExecs, 2 * calmExecs, 100, 0, wire.TrimAll},
		{"if nothing shall be minimized", 0, calmExecs, 0, 0, 0, wire.TrimNothing},
		{"without trimming", 0, calmExecs, 0, 100, technique.Trim, wire.TrimNothing},
		{"if nothing shall be inherited", 0, 0, 0, 100, technique.Inherit, wire.TrimAll},
	} {
		r := newEngine(Options{MaxExecs: tt.limit, Settings: Settings{Repeatable: true, Minimize: Budget{Execs: tt.minimizeLimit}, Without: tt.without}})
		r.meter.execs, r.meter.warmedAt.execs = tt.execs, tt.warm
		b := &burst{requests: r.requests, calm: r.meter.since(timestamp{})}
		if got := b.trimDegree(); got != tt.want {
			t.Errorf("%s: the degree is %d, want %d", tt.name, got, tt.want)
		}
	}
}

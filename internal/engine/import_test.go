package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// ours and theirs are the digests of two binaries.
var ours, theirs = cover.Digest{1}, cover.Digest{2}

// shows is an execution that shows features, of which some are new.
func shows(added, all []cover.Feature) wire.Ran {
	return wire.Ran{Execs: 1, Nanos: 1000, Added: added, Edges: len(added), Features: all}
}

// importLab is a lab with a seed that shows features 0 and 8. It records what is executed.
type importLab struct {
	*lab
	ran []string // in order
}

func newImportLab(t *testing.T) *importLab {
	l := &importLab{lab: newLab(t)}
	l.hello.Binary = ours
	l.seeds("seed")
	l.opts.MaxExecs = 100
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		l.mu.Lock()
		l.ran = append(l.ran, data)
		l.mu.Unlock()
		switch {
		case data == "seed":
			return shows([]cover.Feature{0, 8}, []cover.Feature{0, 8}), nil
		case strings.HasPrefix(data, "new"):
			return shows([]cover.Feature{16}, []cover.Feature{0, 16}), nil
		case strings.HasPrefix(data, "X"):
			return ranFailing(failedAt(7)), nil
		}
		return pass, nil
	}
	return l
}

func TestImportedEntries(t *testing.T) {
	shown := func(binary cover.Digest, features ...cover.Feature) cover.Shown {
		return cover.Shown{Binary: binary, Features: features}
	}
	for _, tt := range []struct {
		name     string
		imports  []Imported
		ran      []string // besides the seed
		entries  int      // besides the seed
		saved    int
		findings int
		warning  string
	}{
		{"one that shows something new", []Imported{{Args: args("new")}}, []string{"new"}, 1, 1, 0, ""},
		{"one that shows something new and has a file", []Imported{{Args: args("new"), Path: "/cache/file"}}, []string{"new"}, 1, 0, 0, ""},
		{"one that shows nothing new", []Imported{{Args: args("old")}}, []string{"old"}, 0, 0, 0, ""},
		{"one that fails", []Imported{{Args: args("X")}}, []string{"X"}, 0, 0, 1, ""},
		{"the seed", []Imported{{Args: args("seed")}}, nil, 0, 0, 0, ""},
		{"two with the same arguments", []Imported{{Args: args("old")}, {Args: args("old")}}, []string{"old"}, 0, 0, 0, ""},
		{"known features of the same binary", []Imported{{Args: args("old"), Shown: shown(ours, 0, 8)}}, nil, 0, 0, 0, ""},
		{"a new feature of the same binary", []Imported{{Args: args("new"), Shown: shown(ours, 0, 16)}}, []string{"new"}, 1, 1, 0, ""},
		{"known features of another binary", []Imported{{Args: args("old"), Shown: shown(theirs, 0, 8)}}, []string{"old"}, 0, 0, 0, ""},
		{"features of an unknown binary", []Imported{{Args: args("old"), Shown: shown(cover.Digest{}, 0, 8)}}, []string{"old"}, 0, 0, 0, ""},
		{"other kinds of arguments", []Imported{{Args: input.Args{{Kind: input.Int}}}}, nil, 0, 0, 0, "not one of this target"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newImportLab(t)
			l.opts.KeepGoing = true
			target := New(l.options())
			target.Import(tt.imports)
			if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
				t.Fatal(err)
			}
			checkGoroutines(t)
			out := target.Outcome()
			// A failing input is executed again in other processes, after it was executed here.
			if ran := slices.Compact(l.ran)[1:]; !slices.Equal(ran, tt.ran) {
				t.Errorf("%q are executed, want %q", ran, tt.ran)
			}
			if out.Final.Entries != 1+tt.entries || len(l.files(l.opts.CacheDir)) != tt.saved || len(eventsOf[event.Entry](l.lab)) != tt.saved {
				t.Errorf("there are %d entries and %d files, want %d and %d", out.Final.Entries, len(l.files(l.opts.CacheDir)), 1+tt.entries, tt.saved)
			}
			if len(out.Findings) != tt.findings {
				t.Errorf("there are %d findings, want %d", len(out.Findings), tt.findings)
			}
			if done := out.Final.WarmTotal; done != 1 {
				t.Errorf("the warm-up has %d inputs, want the seed", done)
			}
			warned := slices.ContainsFunc(warningsOf(l.lab), func(w event.Notice) bool { return strings.Contains(w.Text, tt.warning) })
			if tt.warning != "" && !warned {
				t.Errorf("no warning has %q: %v", tt.warning, warningsOf(l.lab))
			}
		})
	}
}

func TestAnyGoroutineImportsWhileWorkersFuzz(t *testing.T) {
	l := newImportLab(t)
	l.opts.MaxExecs = 0
	ctx, cancel := context.WithCancel(t.Context())
	target := New(l.options())
	var senders sync.WaitGroup
	l.on = func(e event.Event) {
		if _, ok := e.(event.WarmedUp); !ok {
			return
		}
		for _, name := range []string{"a", "b", "c"} {
			senders.Go(func() { target.Import([]Imported{{Args: args(name)}}) })
		}
		target.Import([]Imported{{Args: args("d")}}) // also where events are handled
	}
	inner := l.run
	l.run = func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		ran, err := inner(ctx, f, data)
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.ran) == 5 {
			cancel()
		}
		return ran, err
	}
	if err := target.Fuzz(ctx, 0, 0, 3); err != nil {
		t.Fatal(err)
	}
	senders.Wait()
	checkGoroutines(t)
	if slices.Sort(l.ran); !slices.Equal(l.ran, []string{"a", "b", "c", "d", "seed"}) {
		t.Errorf("%q are executed", l.ran)
	}
}

func TestOtherWorkersFuzzWhileAnEntryIsImported(t *testing.T) {
	l := newImportLab(t)
	l.opts.MaxExecs = 0
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fuzzed := make(chan struct{})
	once := sync.OnceFunc(func() { close(fuzzed) })
	inner := l.run
	l.run = func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		if data == "slow" {
			select { // two at a time would wait for each other
			case <-fuzzed:
			case <-ctx.Done():
				return wire.Ran{}, ctx.Err()
			}
		}
		if data == "next" {
			defer cancel()
		}
		return inner(ctx, f, data)
	}
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		once()
		return allOf(m), nil
	}
	target := New(l.options())
	target.Import([]Imported{{Args: args("slow")}, {Args: args("next")}})
	if err := target.Fuzz(ctx, 0, 0, 2); err != nil {
		t.Fatal(err)
	}
	if want := []string{"seed", "slow", "next"}; !slices.Equal(l.ran, want) {
		t.Errorf("%q are executed, want %q", l.ran, want)
	}
}

func TestAnImportThatIsCutShortIsExecutedAgain(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  func(stop func()) error
	}{
		{"by the end of the turn", func(stop func()) error { stop(); return context.Canceled }},
		{"by something that kills the process", func(func()) error {
			return &executor.Exit{Err: errors.New("signal: killed"), External: true}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newImportLab(t)
			l.opts.Restart = true
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			inner, first := l.run, true
			l.run = func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error) {
				if data == "new" && first {
					first = false
					return wire.Ran{}, tt.err(cancel)
				}
				return inner(ctx, f, data)
			}
			target := New(l.options())
			target.Import([]Imported{{Args: args("new")}})
			for _, ctx := range []context.Context{ctx, t.Context()} {
				if err := target.Fuzz(ctx, 0, 0, 1); err != nil {
					t.Fatal(err)
				}
			}
			if want := []string{"seed", "new"}; !slices.Equal(l.ran, want) || target.Snapshot().Entries != 2 {
				t.Errorf("%q are executed and there are %d entries, want %q and 2", l.ran, target.Snapshot().Entries, want)
			}
		})
	}
}

func TestAnImportWhoseProcessIsKilledIsExecutedTwice(t *testing.T) {
	l := newImportLab(t)
	l.opts.Restart = true
	kills, inner := 0, l.run
	l.run = func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error) {
		if data == "killer" {
			kills++
			return wire.Ran{}, &executor.Exit{Err: errors.New("signal: killed"), External: true}
		}
		return inner(ctx, f, data)
	}
	target := New(l.options())
	target.Import([]Imported{{Args: args("killer")}, {Args: args("new")}})
	if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	if want := []string{"seed", "new"}; kills != 2 || !slices.Equal(l.ran, want) {
		t.Errorf("the process is killed %d times and %q are executed, want 2 and %q", kills, l.ran, want)
	}
}

func TestAFailureOfAnImportIsMinimizedAndReplayed(t *testing.T) {
	l := newImportLab(t)
	l.opts.KeepGoing, l.opts.Minimize.Time = true, time.Minute
	target := New(l.options())
	target.Import([]Imported{{Args: args("Xtra")}})
	if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	out := target.Outcome()
	if len(out.Findings) != 1 || string(out.Finding.Input[0].Data) != "X" || out.Finding.Kind != finding.Failure || out.Finding.Failures == 0 {
		t.Fatalf("the findings are %+v, want one with the input X", out.Findings)
	}
	if l.content(filepath.Base(out.Finding.Path)) != "X" {
		t.Error("the input of the finding is not where go test runs it")
	}
}

// What other processes write to the cache directory between two turns, or in one, is executed.
func TestEntriesOfOtherProcessesAreReadFromTheCache(t *testing.T) {
	for _, tt := range []struct {
		name       string
		repeatable bool
		want       []string
	}{
		{"in a run that depends on the clock", false, []string{"seed", "cached", "new"}},
		{"not in a repeatable one", true, []string{"seed", "cached"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newImportLab(t)
			l.cache("cached")
			l.opts.Repeatable, l.opts.MaxExecs = tt.repeatable, 0
			var stop context.CancelFunc
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				l.mu.Lock()
				defer l.mu.Unlock()
				if tt.repeatable || len(l.ran) == len(tt.want) || len(l.files(l.opts.CacheDir)) == 1 {
					stop()
				}
				return allOf(m), nil
			}
			target := New(l.options())
			for turn := range 2 {
				ctx, cancel := context.WithCancel(t.Context())
				stop = cancel
				err := target.Fuzz(ctx, 0, 0, 1)
				if cancel(); err != nil {
					t.Fatal(err)
				}
				if turn == 0 {
					l.cache("new")
					damaged := filepath.Join(l.opts.CacheDir, "damaged")
					if err := os.WriteFile(damaged, []byte("go test fuzz v1\n[]byte(\""), 0o666); err != nil {
						t.Fatal(err)
					}
					if err := os.Chtimes(damaged, time.Time{}, time.Now().Add(-2*watchPulse)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !slices.Equal(l.ran, tt.want) || target.Snapshot().Entries != len(tt.want) {
				t.Errorf("%q are executed and there are %d entries, want %q", l.ran, target.Snapshot().Entries, tt.want)
			}
			warned := slices.ContainsFunc(warningsOf(l.lab), func(w event.Notice) bool { return strings.Contains(w.Text, "damaged") })
			if warned == tt.repeatable {
				t.Errorf("the warnings are %v", warningsOf(l.lab))
			}
		})
	}
}

// go test does not write a file of the cache directory at once.
func TestAFileThatIsNotCompleteYetIsReadAgain(t *testing.T) {
	l := newImportLab(t)
	l.opts.MaxExecs = 0
	path := filepath.Join(l.opts.CacheDir, "file")
	if err := os.MkdirAll(l.opts.CacheDir, 0o777); err != nil {
		t.Fatal(err)
	}
	target := New(l.options())
	w := target.engine.watch
	target.engine.entries.setKinds(bytesKind)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	target.engine.turn.begin(ctx, ctx)
	for _, text := range []string{"", "go test fuzz v1\n[]by", "go test fuzz v1\n[]byte(\"new\")\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		w.read()
	}
	if e := target.engine.imports.next(); e == nil || string(e.Args[0].Data) != "new" || e.Path != path {
		t.Errorf("the entry is %+v, want that of the file", e)
	}
	if warnings := warningsOf(l.lab); len(warnings) > 0 {
		t.Errorf("the warnings are %v", warnings)
	}
}

// An input that cannot be written where go test runs it is in the cache directory.
func TestTheInputOfAFindingInTheCacheIsNotImported(t *testing.T) {
	l := newImportLab(t)
	l.opts.KeepGoing, l.opts.WriteDir = true, filepath.Join(os.DevNull, "fuzz")
	target := New(l.options())
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("X", failedAt(7)), nil
	}
	if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	out := target.Outcome()
	if len(out.Findings) != 1 || len(l.files(l.opts.CacheDir)) != 1 || out.Finding.Kept == "" {
		t.Fatalf("the findings are %+v, want one whose input is in the cache", out.Findings)
	}
	target.engine.turn.begin(t.Context(), t.Context())
	target.engine.watch.read()
	if e := target.engine.imports.next(); e != nil {
		t.Errorf("%s is executed again", e.Path)
	}
}

func TestAWorkerOfAnotherBinaryIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		second cover.Digest
		want   error
	}{
		{"another binary", theirs, errReplaced},
		{"the same binary", ours, nil},
		{"a binary that cannot be read", cover.Digest{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newImportLab(t)
			l.opts.Restart = true
			l.startErr = func(number int) error {
				if number == 2 {
					l.hello.Binary = tt.second
				}
				return nil
			}
			requests := 0
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if requests++; requests == 1 {
					return executor.Fuzzed{}, &executor.Exit{Err: errors.New("signal: killed"), External: true}
				}
				return allOf(m), nil
			}
			if _, err := l.goFuzz(t.Context()); !errors.Is(err, tt.want) {
				t.Errorf("the error is %v, want %v", err, tt.want)
			}
			if len(l.workers) != 2 || (requests > 1) != (tt.want == nil) {
				t.Errorf("%d workers get %d requests", len(l.workers), requests)
			}
		})
	}
}

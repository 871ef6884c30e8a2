package engine

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestARunOfTheWarmUpOnlyMutatesNothing(t *testing.T) {
	l := newLab(t)
	l.parallel, l.opts.WarmUpOnly = 2, true
	l.seeds("a", "b", "c")
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		t.Error("an entry is mutated")
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Final.WarmDone != 3 || len(eventsOf[event.WarmedUp](l)) != 1 {
		t.Errorf("the run ends with %+v, %v; want that three seeds are executed", out.Final.Run, err)
	}
}

func TestTheCacheHasTheFormatThatTheOptionsSay(t *testing.T) {
	l := newLab(t)
	l.opts.MaxExecs, l.opts.Codec = 10, corpus.Either
	if err := os.MkdirAll(l.opts.CacheDir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.opts.CacheDir, "raw"), []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	ran := map[string]bool{}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		ran[data] = true
		return pass, nil
	}
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		found(novel("new"))
		return allOf(m), nil
	}
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(l.opts.CacheDir, corpus.Name([]byte("new")))); err != nil || string(got) != "new" {
		t.Errorf("the new entry is %q (%v)", got, err)
	}
	if !ran["old"] {
		t.Error("the entry that was there is not executed")
	}
}

func TestMutantsAreNoLongerThanTheLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		maxLen, seed, first, last int
	}{
		"a limit below that of the engine": {100, 10, 100, 100},
		"a limit above that of the engine": {hardLen * 2, 10, minLen, hardLen * 2},
		"a seed beyond the limit":          {100, 1000, 100, 100},
		"no limit":                         {0, 10, minLen, hardLen},
	} {
		l := newLengths(&Options{MaxLen: tt.maxLen})
		l.allow(args(string(make([]byte, tt.seed))), true)
		if got := l.current(); got != tt.first {
			t.Errorf("%s: the first limit is %d, want %d", name, got, tt.first)
		}
		for range 100 {
			l.grow(timestamp{})
		}
		if got := l.current(); got != tt.last {
			t.Errorf("%s: the last limit is %d, want %d", name, got, tt.last)
		}
	}
}

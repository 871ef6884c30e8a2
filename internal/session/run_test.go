//go:build unix

package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

var some = event.Subject{Func: "FuzzX"}

// single returns what a single run of the target in a folder takes. With the word "fail" in its dictionary the target fails soon.
func single(dir string, words ...string) (Options, Single) {
	o := Options{Config: configOf(dir, time.Minute)}
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzX")
	o.Options = engine.Options{
		Target: some, SeedDir: seeds, CorpusDir: seeds, WriteDir: seeds, CacheDir: filepath.Join(dir, "cache"), Settings: engine.Settings{Minimize: engine.Budget{Execs: 100}},
		Callbacks: engine.Callbacks{Words: func(context.Context) (list [][]byte) {
			for _, w := range words {
				list = append(list, []byte(w))
			}
			return list
		}},
	}
	return o, Single{Workers: 1, Interval: time.Hour}
}

// listen collects the events of a bus; they are complete when the bus is closed.
func listen(bus *event.Bus) *[]event.Event {
	list := new([]event.Event)
	bus.Subscribe(func(e event.Stamped) { *list = append(*list, e.Event) })
	return list
}

// names returns the names of events, entries left out.
func names(list []event.Event) (names []string) {
	for _, e := range list {
		if _, ok := e.(event.Entry); !ok {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestARunPublishesWhatHappens(t *testing.T) {
	o, s := single(t.TempDir(), "fail")
	var bus event.Bus
	events := listen(&bus)
	out, err := Run(t.Context(), o, s, &bus)
	bus.Close()
	if err != nil || len(out.Findings) != 1 || out.Final.Execs == 0 {
		t.Fatalf("Run = %+v, %v; want one finding", out, err)
	}
	if got, want := names(*events), []string{"warm_up", "warmed_up", "minimize", "failure", "progress"}; !slices.Equal(got, want) {
		t.Errorf("the events are %q, want %q", got, want)
	}
	for _, e := range *events {
		switch e := e.(type) {
		case event.WarmUp:
			if e.Subject != some || !e.WarmingUp || e.WarmDone != 0 || e.WarmTotal != 1 {
				t.Errorf("the warm-up begins with %+v", e)
			}
		case event.WarmedUp:
			if e.Subject != some || e.WarmingUp || e.WarmDone != 1 || !e.Instrumented {
				t.Errorf("the warm-up ends with %+v", e)
			}
		case event.Failure:
			if e.Subject != some || e.Kind != finding.Failure || e.Input != out.Findings[0].Path || e.Flaky {
				t.Errorf("the failure is %+v, and the finding %+v", e, out.Findings[0])
			}
		case event.Progress:
			if e.Subject != some || e.Run != out.Final.Run {
				t.Errorf("the run ends with %+v, want %+v", e, out.Final)
			}
		}
	}
}

func TestARunPublishesItsProgressAtEachInterval(t *testing.T) {
	o, s := single(t.TempDir())
	s.Workers, s.Interval = 2, time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var bus event.Bus
	events := listen(&bus)
	bus.Subscribe(func(e event.Stamped) {
		if p, ok := e.Event.(event.Progress); ok && p.Execs > 0 && p.Workers == 2 {
			cancel()
		}
	})
	if out, err := Run(ctx, o, s, &bus); err != nil || len(out.Findings) != 0 {
		t.Errorf("Run = %+v, %v; want no finding", out, err)
	}
	bus.Close()
	if got := names(*events); slices.Index(got, "progress") < slices.Index(got, "warm_up") || got[len(got)-1] != "progress" {
		t.Errorf("the events are %q, want that the progress begins after the warm-up has begun, and is the last one", got)
	}
}

func TestARunEndsWhenItsTimeIsOver(t *testing.T) {
	o, s := single(t.TempDir())
	s.Time = 100 * time.Millisecond
	var bus event.Bus
	defer bus.Close()
	out, err := Run(t.Context(), o, s, &bus)
	if err != nil || out.Final.Elapsed < s.Time {
		t.Errorf("Run = %+v, %v; want no error after %v", out, err, s.Time)
	}
}

// A terminal that is stopped delays no execution: all that is printed waits in the bus.
func TestARunDoesNotWaitForASubscriber(t *testing.T) {
	o, s := single(t.TempDir(), "fail")
	var bus event.Bus
	released := make(chan struct{})
	var got []event.Event
	bus.Subscribe(func(e event.Stamped) { <-released; got = append(got, e.Event) })
	if out, err := Run(t.Context(), o, s, &bus); err != nil || len(out.Findings) != 1 {
		t.Errorf("Run = %+v, %v; want one finding", out, err)
	}
	close(released)
	bus.Close()
	if list := names(got); !slices.Contains(list, "failure") || list[len(list)-1] != "progress" {
		t.Errorf("the subscriber gets %q, want the failure and the end", list)
	}
}

func TestARunWithoutABinaryIsAnError(t *testing.T) {
	o, s := single(t.TempDir())
	o.Config.Path = filepath.Join(t.TempDir(), "none")
	var bus event.Bus
	events := listen(&bus)
	if _, err := Run(t.Context(), o, s, &bus); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v, want one that says that the file is not there", err)
	}
	bus.Close()
	if len(*events) != 0 {
		t.Errorf("the events are %+v, want none", *events)
	}
}

func TestWhereTheInputOfAFailureIs(t *testing.T) {
	for _, tt := range []struct {
		name string
		f    finding.Finding
		want string
	}{
		{"a file of testdata", finding.Finding{Path: "testdata/fuzz/FuzzX/1", Kept: "/cache/1"}, "testdata/fuzz/FuzzX/1"},
		{"a seed", finding.Finding{Seed: "seed#0"}, "seed#0"},
		{"a file elsewhere", finding.Finding{Kept: "/cache/1"}, "/cache/1"},
		{"nowhere", finding.Finding{}, ""},
	} {
		tt.f.Kind, tt.f.Flaky, tt.f.NotRun = finding.Hang, true, "it calls Skip"
		if got, want := failureOf(some, &tt.f), (event.Failure{Subject: some, Kind: finding.Hang, Input: tt.want, Flaky: true, NotRun: "it calls Skip"}); got != want {
			t.Errorf("%s: the event is %+v, want %+v", tt.name, got, want)
		}
	}
}

// A turn or a replay that fails releases the shared memory, as one that does not.
func TestASessionWithoutABinary(t *testing.T) {
	o, _ := single(t.TempDir())
	o.Config.Path = filepath.Join(t.TempDir(), "none")
	s := Open(o)
	for range 2 {
		if err := s.Fuzz(t.Context(), 0, 0, 1); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Fuzz: %v, want an error that says that the file is not there", err)
		}
		f := &finding.Finding{Kind: finding.Failure, Input: args("fail"), Why: "the disk is full"}
		if _, err := s.Prove(t.Context(), f); !errors.Is(err, os.ErrNotExist) || f.Replays != 0 {
			t.Errorf("Prove: %v with %d replays, want an error that says that the file is not there", err, f.Replays)
		}
		if s.users != 0 {
			t.Errorf("%d users of the shared memory are left", s.users)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A finding may be replayed while the target is fuzzed; the shared memory stays until both have ended.
func TestAFindingIsReplayedDuringATurn(t *testing.T) {
	o, _ := single(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	warm := make(chan struct{})
	o.OnEvent = func(e event.Event) {
		if _, ok := e.(event.WarmedUp); ok {
			close(warm)
		}
	}
	s := Open(o)
	ended := make(chan error, 1)
	go func() { ended <- s.Fuzz(ctx, 0, 0, 1) }()
	<-warm
	f := &finding.Finding{Kind: finding.Failure, Place: "x_test.go:7", Message: "no", Output: "    x_test.go:7: no\n", Input: args("fail"), Why: "the disk is full"}
	if got, err := s.Prove(t.Context(), f); err != nil || got != proof.Fails || f.Replays != 1 || f.Failures != 1 {
		t.Errorf("Prove = %v, %v, with %d of %d replays that fail", got, err, f.Failures, f.Replays)
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for before := s.Fuzzer.Snapshot().Execs; s.Fuzzer.Snapshot().Execs == before; {
		select {
		case err := <-ended:
			t.Fatalf("the turn ends with the replay: %v", err)
		case <-tick.C:
		}
	}
	cancel()
	if err := errors.Join(<-ended, s.Close()); err != nil {
		t.Error(err)
	}
}

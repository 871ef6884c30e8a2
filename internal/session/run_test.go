//go:build unix

package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

var some = event.Target{Target: "FuzzX"}

// single returns what a single run of the target in a folder takes. With the word "fail" in its dictionary the target fails soon.
func single(dir string, words ...string) (Options, Single) {
	o := Options{Config: configOf(dir, time.Minute)}
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzX")
	o.Options = engine.Options{
		Target: some, SeedDir: seeds, CorpusDir: seeds, WriteDir: seeds, CacheDir: filepath.Join(dir, "cache"), MinimizeLimit: 100,
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
			if e.Target != some || !e.WarmingUp || e.WarmDone != 0 || e.WarmTotal != 1 {
				t.Errorf("the warm-up begins with %+v", e)
			}
		case event.WarmedUp:
			if e.Target != some || e.WarmingUp || e.WarmDone != 1 || !e.Instrumented {
				t.Errorf("the warm-up ends with %+v", e)
			}
		case event.Failure:
			if e.Target != some || e.Kind != finding.Failure || e.Input != out.Findings[0].Path || e.Flaky {
				t.Errorf("the failure is %+v, and the finding %+v", e, out.Findings[0])
			}
		case event.Progress:
			if e.Target != some || e.Run != out.Final.Run {
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
		if got, want := failureOf(some, &tt.f), (event.Failure{Target: some, Kind: finding.Hang, Input: tt.want, Flaky: true, NotRun: "it calls Skip"}); got != want {
			t.Errorf("%s: the event is %+v, want %+v", tt.name, got, want)
		}
	}
}

// script returns a test binary that is a script of the shell.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.test")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatATargetPrintsInPlainGoTest(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"before it fails", "echo no configuration; exit 1", "no configuration"},
		{"nothing if it passes", "echo all is well", ""},
	} {
		c := configOf(t.TempDir(), time.Minute)
		c.Path = script(t, tt.script)
		if got := PlainOutput(t.Context(), c, "FuzzX"); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAReplayThatIsNotPossibleIsAnError(t *testing.T) {
	gone := errors.New("the sources are gone")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "testdata", "fuzz", "FuzzX", "good"), "go test fuzz v1\nstring(\"pass\")\n")
	r := Replayer{Config: configOf(dir, time.Minute), Target: "FuzzX", Plain: func(context.Context) (string, error) { return "", gone }}
	if _, err := r.Replay(t.Context(), "good", finding.Hang); !errors.Is(err, gone) {
		t.Errorf("a hang whose plain binary does not build: %v", err)
	}
	if _, _, err := r.Time(t.Context(), "good", time.Minute); !errors.Is(err, gone) {
		t.Errorf("a time whose plain binary does not build: %v", err)
	}
	none := filepath.Join(dir, "none")
	r.Plain = func(context.Context) (string, error) { return none, nil }
	if _, _, err := r.Time(t.Context(), "good", time.Minute); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a time without a binary: %v", err)
	}
	r.Config.Path = none
	if _, err := r.Replay(t.Context(), "good", finding.Failure); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a replay without a binary: %v", err)
	}
}

// Arguments that are about fuzzing, or that select tests, do not reach plain go test; those of the user do.
func TestTheArgumentsOfPlainGoTest(t *testing.T) {
	c := configOf(t.TempDir(), time.Minute)
	c.Args = append(c.Args, "-test.short", "-test.v", "-test.gocoverdir=/x", "-my=flag")
	got := Replayer{Config: c, Target: "FuzzX"}.test("^FuzzX$")
	if want := []string{"-test.paniconexit0", "-test.short", "-my=flag"}; !slices.Equal(got.Args, want) || got.Pattern != "^FuzzX$" || got.Limit != time.Minute {
		t.Errorf("the test is %+v, want the arguments %q", got, want)
	}
}

func TestTheTargetOfACommand(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "m_test.go"), "package m\n\nimport \"testing\"\n\nfunc FuzzA(f *testing.F) { f.Fuzz(func(*testing.T, string) {}) }\n")
	write(t, filepath.Join(dir, "broken", "m_test.go"), "package broken; import \"example.com/m/none\"; var _ = none.X\n")
	environ := append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	tc, err := build.FindToolchain(t.Context(), dir, environ)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := FindTarget(t.Context(), tc, dir, ".", "FuzzA", nil); err != nil || got.Name != "FuzzA" || got.Package != "example.com/m" {
		t.Errorf("FindTarget = %+v, %v", got, err)
	}
	if _, err := FindTarget(t.Context(), tc, dir, "./broken", "FuzzA", nil); err == nil {
		t.Error("a target is found in a package that cannot be loaded")
	}
	var none *NoTargetError
	for _, s := range []Spec{{Package: dir}, {Dir: dir}, {Dir: dir, Package: "example.com/m"}} {
		s.Environ, s.Target = environ, "FuzzB"
		if s.Dir == "" {
			s.Dir = t.TempDir()
		}
		place := dir
		if s.Package == "example.com/m" {
			place = s.Package
		}
		if _, err := Build(t.Context(), s); !errors.As(err, &none) || none.Place != place || none.Target != "FuzzB" || !strings.Contains(err.Error(), "`gnaw list`") {
			t.Errorf("Build(%+v): %v, want that there is no target FuzzB in %s", s.Package, err, place)
		}
	}
}

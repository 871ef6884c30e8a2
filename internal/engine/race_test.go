package engine

import (
	"context"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestARaceHasTheFramesThatTheDetectorPrints(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.stderr = `==================
WARNING: DATA RACE
Write at 0x00c000094208 by goroutine 9:
  m/p.write()
      /src/p/p.go:7 +0x5d

Previous read at 0x00c000094208 by goroutine 8:
  m/p.read()
      /src/p/p.go:11 +0x15b

==================
`
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("racy", "    testing.go:1712: race detected during execution of test\n"), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil {
		t.Fatalf("the run ended with %+v (%v), want a finding", out, err)
	}
	f := out.Finding
	if f.Kind != finding.Race || f.Place != "m/p.read p.go:11" || f.Message != "data race: read in p.read, write in p.write" {
		t.Errorf("the finding is a %v at %s: %s", f.Kind, f.Place, f.Message)
	}
	if race, ok := finding.RaceIn(f.Output); !ok || len(race.Tops()) != 2 {
		t.Errorf("the output has no report of both sides:\n%s", f.Output)
	}
}

func TestWhatPassedIsRememberedIfAsked(t *testing.T) {
	for _, remember := range []bool{true, false} {
		l := newLab(t)
		l.opts.Remember, l.opts.MaxExecs = remember, 100
		l.seeds("a", "b")
		once := false
		l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
			if !once {
				once = true
				found(novel("c"))
			}
			return allOf(m), nil
		}
		target := New(l.options())
		if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
			t.Fatal(err)
		}
		var got string
		for _, a := range target.Passed(1) {
			got += string(a[0].Data)
		}
		if want := map[bool]string{true: "bc", false: ""}[remember]; got != want {
			t.Errorf("with Remember = %v, %q passed behind the first input, want %q", remember, got, want)
		}
		if n := len(target.Passed(7)); n != 0 {
			t.Errorf("%d inputs passed behind the last one", n)
		}
	}
}

package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

func TestOnlyTheTimeOfTurnsIsCounted(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	c := l.useClock()
	c.set(time.Hour) // when it begins does not matter
	requests := 0
	var end context.CancelFunc
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		c.advance(3 * time.Second)
		if requests++; requests == 1 {
			found(novel("new"))
		}
		if requests%2 == 0 {
			end()
		}
		c.advance(2 * time.Second)
		return allOf(m), nil
	}
	target := New(l.options())
	for turn, want := range []struct{ elapsed, sinceEdge time.Duration }{
		{10 * time.Second, 7 * time.Second},
		{20 * time.Second, 17 * time.Second},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		end = cancel
		if err := target.Fuzz(ctx, 0, 0, 1); err != nil {
			t.Fatal(err)
		}
		c.advance(time.Hour) // other targets have their turns
		s := target.Snapshot()
		if s.Elapsed != want.elapsed || s.Warmed != want.elapsed || s.SinceEdge != want.sinceEdge {
			t.Errorf("after turn %d, %v have passed, %v since the warm-up and %v since the newest edge; want %v, %[5]v and %v",
				turn+1, s.Elapsed, s.Warmed, s.SinceEdge, want.elapsed, want.sinceEdge)
		}
	}
	checkGoroutines(t)
}

// Who waits for a hang that takes ten seconds does not wait for three of them.
func TestAReplayThatTakesLongIsNotRepeated(t *testing.T) {
	for _, tt := range []struct {
		took time.Duration
		want int
	}{
		{slowReplay, replaysOfMany},
		{slowReplay + 1, 1},
	} {
		t.Run(fmt.Sprint(tt.took), func(t *testing.T) {
			l := newLab(t)
			l.opts.KeepGoing = true
			c := l.useClock()
			var r *engine
			l.replay = func(string, finding.Kind) proof.Verdict {
				c.advance(tt.took)
				if got := r.Snapshot().Checking; got != 1 {
					t.Errorf("during a replay %d workers check what was found, want 1", got)
				}
				return proof.Fails
			}
			r = startTurn(t, l)
			r.meter.begin(0)
			if err := r.verifier.failed(&slot{}, wire.Failed{Input: packed("bad"), Output: failedAt(7)}, nil); err != nil {
				t.Fatal(err)
			}
			if f := r.ledger.findings[0]; f.Replays != tt.want || f.Flaky {
				t.Errorf("the finding was replayed %d times, want %d: %+v", f.Replays, tt.want, f)
			}
			if got, want := r.Snapshot().Verifying, time.Duration(tt.want)*tt.took; got != want {
				t.Errorf("%v went into the failure, want %v", got, want)
			}
			if got := r.Snapshot().Checking; got != 0 {
				t.Errorf("afterwards %d workers check what was found", got)
			}
		})
	}
}

func TestExecutionsArePromisedUpToTheLimit(t *testing.T) {
	l := newLab(t)
	l.opts.MaxExecs = 10
	r := startTurn(t, l)
	for _, step := range []struct {
		name     string
		do       func()
		left     uint64
		promised bool
	}{
		{"at first", func() {}, 10, false},
		{"some are promised", func() { r.turn.grant(7) }, 3, true},
		{"more than are left", func() { r.turn.grant(4) }, 3, true},
		{"all are promised", func() { r.turn.grant(3) }, 0, true},
		{"a task makes fewer than it was promised", func() { r.account(7, 2, 0) }, 5, true},
		{"another one makes more", func() { r.account(3, 9, 0) }, 0, false},
	} {
		step.do()
		if left, promised := r.meter.left(); left != step.left || promised != step.promised {
			t.Errorf("%s: %d are left and some are promised: %v; want %d and %v", step.name, left, promised, step.left, step.promised)
		}
	}
}

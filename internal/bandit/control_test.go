package bandit

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestAPausedPoolBeginsNoTurnAndItsTimeStandsStill(t *testing.T) {
	c := &clock{now: time.Hour}
	f := &fake{clock: c, total: 100, half: time.Second}
	var control Control
	var mu sync.Mutex
	var kinds []What
	atPause, elapsed := 0, time.Duration(0)
	o := Options{Targets: []Arm{f}, Parallel: 1, Seed: 1, Time: time.Minute, Clock: c.Now, Control: &control}
	o.OnEvent = func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		switch e.What {
		case Turn:
			if elapsed == 0 {
				control.Pause(true) // the turn that has begun comes to its end
			}
		case Paused:
			atPause = len(f.turns)
			c.mu.Lock()
			c.now += time.Hour // of the pause
			c.mu.Unlock()
			elapsed = time.Hour
			go control.Pause(false)
		case Resumed:
			if len(f.turns) != atPause {
				t.Errorf("%d turns run during the pause", len(f.turns)-atPause)
			}
		default:
			return
		}
		if e.What != Turn {
			kinds = append(kinds, e.What)
		}
	}
	r := Run(t.Context(), o)
	if atPause != 1 || !slices.Equal(kinds, []What{Paused, Resumed}) {
		t.Errorf("the pause begins after %d turns, and the events are %v; want 1, paused and resumed", atPause, kinds)
	}
	if r.Elapsed < time.Minute || r.Elapsed > time.Minute+maxTurn || f.took < 50*time.Second {
		t.Errorf("the campaign takes %v and fuzzes for %v, want a minute without the pause", r.Elapsed, f.took)
	}
	if r.Busy < 0.8 {
		t.Errorf("the pause counts as idle time: %v of the time is used", r.Busy)
	}
}

func TestAPauseThatBeginsWhileAnotherOneEndsIsNoticed(t *testing.T) {
	c := &clock{now: time.Hour}
	f := &fake{clock: c, total: 100, half: time.Second}
	var control Control
	control.Pause(true)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pauses := 0
	Run(ctx, Options{Targets: []Arm{f}, Parallel: 1, Time: time.Minute, Clock: c.Now, Control: &control, OnEvent: func(e Event) {
		switch e.What {
		case Paused:
			if pauses++; pauses == 2 {
				cancel()
				return
			}
			control.Pause(false)
		case Resumed:
			control.Pause(true)
		}
	}})
	if pauses != 2 || len(f.turns) != 0 {
		t.Errorf("there are %d pauses and %d turns, want 2 pauses without a turn between them", pauses, len(f.turns))
	}
}

func TestAPausedPoolEndsWithItsContext(t *testing.T) {
	c := &clock{now: time.Hour}
	f := &fake{clock: c, total: 100, half: time.Second}
	var control Control
	control.Pause(true)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := Run(ctx, Options{Targets: []Arm{f}, Parallel: 1, Time: time.Minute, Clock: c.Now, Control: &control, OnEvent: func(e Event) {
		if e.What == Paused {
			cancel()
		}
	}})
	if len(f.turns) != 0 || r.Elapsed != 0 {
		t.Errorf("%d turns run in %v, want none", len(f.turns), r.Elapsed)
	}
	control.Pause(false) // the pool has ended
}

func TestATargetWithASmallFactorKeepsItsMinimumShare(t *testing.T) {
	var control Control
	control.Weigh(1, 1e-9)
	near, remote := &fake{total: 20, half: time.Second}, &fake{total: 5000, half: 10 * time.Minute}
	campaignOf(t, Options{Time: 10 * time.Minute, Control: &control}, near, remote)
	floor := time.Duration(floorShare / 2 * float64(10*time.Minute))
	if remote.spent < floor*8/10 || remote.spent > floor*13/10 {
		t.Errorf("the target got %v, although new edges turn up in it; want about its floor of %v", remote.spent, floor)
	}
}

func TestAFactorCountsAsMoreNewEdges(t *testing.T) {
	var control Control
	control.Weigh(1, 5)
	one, five := &fake{total: 5000, half: 10 * time.Minute}, &fake{total: 5000, half: 10 * time.Minute}
	campaignOf(t, Options{Time: 10 * time.Minute, Control: &control}, one, five)
	if five.spent < 3*one.spent {
		t.Errorf("of two equal targets one got %v, and one with the factor 5 got %v", one.spent, five.spent)
	}
}

func TestATargetWithoutAFactorHasNoTurnUntilItHasOne(t *testing.T) {
	for _, tt := range []struct {
		name   string
		factor float64
	}{{"zero", 0}, {"a negative number", -1}, {"no number", math.NaN()}} {
		t.Run(tt.name, func(t *testing.T) {
			var control Control
			control.Weigh(1, tt.factor)
			first, second := &fake{total: 100}, &fake{total: 100}
			turns := -1
			o := Options{Time: 10 * time.Minute, Control: &control, OnEvent: func(e Event) {
				if e.What == Booked && first.took >= 5*time.Minute && turns < 0 {
					turns = len(second.turns)
					control.Weigh(0, 0)
					control.Weigh(1, 1)
				}
			}}
			campaignOf(t, o, first, second)
			if turns != 0 || first.took > 5*time.Minute+maxTurn || second.took < 5*time.Minute-maxTurn {
				t.Errorf("the first target had %v, and the second one %v with %d turns before it had a factor; want five minutes each", first.took, second.took, turns)
			}
		})
	}
}

func TestAPoolWithoutAFactorWaits(t *testing.T) {
	t.Run("until its time is over", func(t *testing.T) {
		var control Control
		control.Weigh(0, 0)
		f := &fake{clock: &clock{}, half: time.Second}
		Run(t.Context(), Options{Targets: []Arm{f}, Parallel: 1, Time: time.Millisecond, Control: &control})
		if len(f.turns) != 0 {
			t.Errorf("there are %d turns, want none", len(f.turns))
		}
	})
	t.Run("until a target has one", func(t *testing.T) {
		var control Control
		control.Weigh(0, 0)
		c := &clock{}
		f := &fake{clock: c, total: 9, half: time.Second}
		Run(t.Context(), Options{Targets: []Arm{f}, Parallel: 1, Each: time.Minute, Clock: c.Now, Control: &control, OnEvent: func(e Event) {
			if e.What == Prepared {
				go control.Weigh(0, 1)
			}
		}})
		if f.took != time.Minute {
			t.Errorf("the target had %v, want its minute", f.took)
		}
	})
}

func TestTheEstimateIsBetweenItsLimits(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edges int
	}{{"many edges", 400}, {"one edge", 1}, {"no edge", 0}} {
		t.Run(tt.name, func(t *testing.T) {
			e := Past{Turns: 1, Samples: []Sample{{Worker: 100 * time.Second, Edges: tt.edges}}}.Estimate()
			want := time.Duration(101 / (float64(tt.edges) + 0.5) * float64(time.Second))
			if e.Mean != want || e.Low <= 0 || e.Low >= want || e.High <= want {
				t.Errorf("the estimate is %+v, want %v between its limits", e, want)
			}
		})
	}
	if e := (Past{}).Estimate(); e != (Estimate{}) {
		t.Errorf("before the first turn the estimate is %+v", e)
	}
}

// A target whose edges all came at the beginning does not promise the next one in a part of the time that has shown none.
func TestTheEstimateKnowsAllTimeSinceTheLastEdge(t *testing.T) {
	past := Past{Turns: 11, Samples: []Sample{{Worker: time.Second, Edges: 3}}}
	for range 10 {
		past.Samples = append(past.Samples, Sample{Worker: 10 * time.Second})
	}
	if got, want := past.Estimate().Mean, 202*time.Second; got != want {
		t.Errorf("after 100 s without an edge the next one is expected in %v, want %v", got, want)
	}
	past.Samples = append(past.Samples, Sample{Worker: 10 * time.Second, Edges: 1})
	if got := past.Estimate().Mean; got > 30*time.Second {
		t.Errorf("after a new edge the next one is expected in %v", got)
	}
}

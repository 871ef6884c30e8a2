package bandit

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
)

// late is a target whose preparation takes a time by the clock, or until a channel is closed. The time passes in Past, while the pool holds its
// mutex, so that the pool sees the new time together with the ready target.
type late struct {
	fake
	takes time.Duration
	until <-chan struct{}
	begun chan struct{} // closed when it is fuzzed; nil: nobody waits for that
	ready chan struct{} // closed when the pool knows that it is ready; nil: nobody waits for that
}

func (l *late) Past() Past {
	if l.ready != nil {
		close(l.ready)
	}
	l.clock.mu.Lock()
	l.clock.now += l.takes
	l.clock.mu.Unlock()
	return l.fake.Past()
}

func (l *late) Prepare(ctx context.Context) error {
	if l.until != nil {
		select {
		case <-l.until:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (l *late) Fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	if l.begun != nil && len(l.turns) == 0 {
		close(l.begun)
	}
	return l.fake.Fuzz(ctx, d, more, workers)
}

// lateCampaign prepares three targets two at a time: the first one is ready at once, the second one when fuzzing has begun, if it waits for
// that, and the third one after a time. It returns the order of the events.
func lateCampaign(t *testing.T, budget, third time.Duration, waits bool) (events []What, r Result, targets []*late) {
	t.Helper()
	c := &clock{now: time.Hour}
	begun, ready := make(chan struct{}), make(chan struct{})
	for _, name := range []string{"a", "b", "c"} {
		targets = append(targets, &late{fake: fake{clock: c, total: 9, half: time.Second, binary: name}})
	}
	targets[0].begun, targets[0].ready = begun, ready
	targets[2].takes, targets[2].until = third, ready
	if waits {
		targets[1].until = begun
	}
	o := Options{Parallel: 2, Time: budget, Clock: c.Now, OnEvent: func(e Event) {
		if e.What == Begun || e.What == Prepared {
			events = append(events, e.What)
		}
	}}
	for _, l := range targets {
		o.Targets = append(o.Targets, l)
	}
	r = Run(t.Context(), o)
	return events, r, targets
}

func TestFuzzingBeginsBeforeTargetsThatAreFarAway(t *testing.T) {
	events, r, targets := lateCampaign(t, 10*time.Minute, earlyAfter, true)
	if want := []What{Prepared, Prepared, Begun, Prepared}; !slices.Equal(events, want) {
		t.Errorf("the events are %v, want %v", events, want)
	}
	if over := r.Elapsed - 10*time.Minute; over < 0 || over > maxTurn { // the turns of two workers overlap on the clock
		t.Errorf("the campaign took %v, want the whole budget from the beginning of fuzzing", r.Elapsed)
	}
	for _, i := range []int{0, 2} { // the time by the clock may be over before the other one is prepared
		if len(targets[i].turns) == 0 {
			t.Errorf("target %d had no turn", i)
		}
	}
}

func TestFuzzingWithABudgetWaits(t *testing.T) {
	for _, tt := range []struct {
		name          string
		budget, third time.Duration
	}{
		{"for targets that are near", 10 * time.Minute, earlyAfter - time.Second},
		{"for targets that would not be ready in half of the budget", 39 * time.Second, earlyAfter},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, _, _ := lateCampaign(t, tt.budget, tt.third, false)
			if want := []What{Prepared, Prepared, Prepared, Begun}; !slices.Equal(events, want) {
				t.Errorf("the events are %v, want %v", events, want)
			}
		})
	}
}

func TestFuzzingBeginsEarlyOnlyIfTheOthersFollowInTime(t *testing.T) {
	for _, tt := range []struct {
		name     string
		ready    []bool
		parallel int
		waited   time.Duration
		budget   time.Duration
		want     bool
	}{
		{"no target is ready", []bool{false, false}, 1, time.Hour, time.Hour, false},
		{"not long enough", []bool{true, false}, 1, earlyAfter - 1, time.Hour, false},
		{"one of two, and a long budget", []bool{true, false}, 1, earlyAfter, time.Hour, true},
		{"one of two, and a short budget", []bool{true, false}, 1, earlyAfter, 2*earlyAfter - 2, false},
		{"two of five in a minute, so three more minutes", []bool{true, true, false, false, false}, 1, time.Minute, 6 * time.Minute, true},
		{"and a budget below twice of that", []bool{true, true, false, false, false}, 1, time.Minute, 6*time.Minute - 2, false},
		{"prepared by four goroutines until then, so eight minutes more", []bool{true, true, true, true, true, false, false}, 4, 4 * time.Minute, 16 * time.Minute, true},
		{"prepared by four goroutines, and a budget below twice of that", []bool{true, true, true, true, true, false, false}, 4, 4 * time.Minute, 16*time.Minute - 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &pool{Options: Options{Parallel: tt.parallel, Time: tt.budget, Clock: func() time.Duration { return time.Hour + tt.waited }}}
			p.since = time.Hour
			for i, ready := range tt.ready {
				p.Targets = append(p.Targets, &fake{binary: string(rune('a' + i))})
				p.arms = append(p.arms, &arm{ready: ready})
				p.ready = p.ready || ready
			}
			if got := p.mayFollow(); got != tt.want {
				t.Errorf("mayFollow() = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAPauseIsNoTimeOfTheWorkerThatPrepares(t *testing.T) {
	p := &pool{Options: Options{Parallel: 2, Spent: time.Minute, Clock: func() time.Duration { return 3 * time.Hour }}}
	p.changed = sync.NewCond(&p.mu)
	p.begin, p.stood, p.fuzzing, p.kept = time.Hour, 90*time.Minute, true, []int{1}
	p.prepareAll(t.Context())
	if want := 30 * time.Minute; p.busy != want || !slices.Equal(p.free, []int{1}) {
		t.Errorf("the worker was busy for %v and %v are free, want %v and worker 1", p.busy, p.free, want)
	}
}

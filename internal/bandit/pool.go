// Package bandit shares the time of one pool of workers among fuzz targets.
//
// [Run] prepares the targets and fuzzes them in turns. Without a time budget, fuzzing starts with the first ready target. With one, it
// starts when all targets are ready, or when the first one has been ready for 20 seconds and the others are expected to be ready in half of
// the budget; see [pool.mayFollow]. Each target first gets one turn. After that, Run prefers the targets in which
// new edges are most likely, see [arm]; each target keeps a minimum share. If a target cannot be prepared or fuzzed, Run sets
// it aside and continues with the others.
package bandit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Arm is a fuzz target. Prepare is called once, before the first call of Fuzz; calls for different targets run at the
// same time, those for one do not. Progress may be called at any time.
type Arm interface {
	// Binary names what Prepare builds. Targets may share it.
	Binary() string
	// Prepare builds what Fuzz needs. The error sets the target aside.
	Prepare(ctx context.Context) error
	// Past returns what the campaign knew about the target when it was killed; the zero value if it did not know it. It is
	// called once, after Prepare.
	Past() Past
	// Fuzz fuzzes for about the time d with the given number of workers, and up to the time more longer if an execution is
	// under way then, which may hang. It returns early, without an error, when there is no more to do in this campaign. An error sets
	// the target aside.
	Fuzz(ctx context.Context, d, more time.Duration, workers int) error
	// Progress returns what was reached until now.
	Progress() Progress
}

// Progress is what fuzzing of a target has reached.
type Progress struct {
	Execs uint64
	Edges int           // edge counters that were hit
	Known int           // those of them that seeds and earlier runs hit
	Done  bool          // there is no more to do
	Since time.Duration // of fuzzing without a new edge
	// Warmed: of fuzzing, since all seeds and entries of earlier runs were executed. Before that there is nothing new to see.
	Warmed time.Duration
	// Verifying is the time of workers that went into failures: to minimize and to replay them.
	Verifying time.Duration
	// Startup is how long the start of a worker took in the last turn, or the turn, if that was too short for it.
	Startup time.Duration
	// Warming: seeds or entries of earlier runs were not executed yet, so that a bug that is known may not show.
	Warming bool
}

// Options says how to run a campaign.
type Options struct {
	Targets  []Arm
	Own      int           // how many targets, the first ones, get half of the time together; 0 or all: there are no shares
	Parallel int           // workers at a time, at least 1
	Time     time.Duration // for all targets together, without the preparation; 0: until ctx ends
	Spent    time.Duration // of Time, before the campaign was killed
	Each     time.Duration // for each target; 0: no limit
	Overtime time.Duration // how long an execution may take: if it is under way when a turn is over, the turn waits for it
	Quiet    bool          // a target where nothing new is to be expected is set aside; see [arm.quiet]
	Seed     uint64        // of all random choices
	Control  *Control      // steers the pool while it runs; nil: nobody does
	OnEvent  func(Event)   // called for each event, one at a time; must not block; nil: nobody listens
	// Clock returns the time since a fixed time. It never jumps, whatever is done to the clock of the computer; nil: the
	// monotonic clock of the process.
	Clock func() time.Duration
}

// Event is something that a campaign reports: what happened to the target with that index; -1 for Begun, Paused and Resumed.
type Event struct {
	Target int
	What   What
	Err    error         // for SetAside
	Expect time.Duration // for WentQuiet: time to the next new edge, by the estimate
	Past   Past          // for Booked: what is known about the target now
	Slots  []int         // for Turn and Booked: numbers of the workers, from 0, below Parallel
}

// What is a kind of [Event].
type What uint8

// The kinds of events.
const (
	Begun     What = iota + 1 // fuzzing begins, and with it the time
	Preparing                 // its binary is being built
	Prepared                  // it is ready
	SetAside                  // it cannot be fuzzed
	WentQuiet                 // nothing new is to be expected
	Turn                      // a turn begins
	Booked                    // a turn is over
	Paused                    // the pool is paused and no turn runs; the time stands still
	Resumed                   // the pause is over
)

// Result is what came of a campaign.
type Result struct {
	Elapsed time.Duration
	Busy    float64 // part of the workers' time that turns and preparations took, from 0 to 1
}

// Run fuzzes the targets until the time is over, ctx ends, or there is no more to do. When it returns, nothing that it
// started runs any more.
func Run(ctx context.Context, o Options) Result {
	if o.Clock == nil {
		start := time.Now()
		o.Clock = func() time.Duration { return time.Since(start) }
	}
	p := &pool{Options: o, random: rand.New(rand.NewPCG(o.Seed, 2))}
	p.changed = sync.NewCond(&p.mu)
	p.order = p.spread()
	for i := range o.Parallel {
		p.free = append(p.free, i)
	}
	for range o.Targets {
		p.arms = append(p.arms, &arm{})
	}
	stop := context.AfterFunc(ctx, p.look)
	defer stop()
	defer p.Control.attach(p.look)()
	building, cancel := context.WithCancel(ctx)
	defer cancel()
	var running sync.WaitGroup
	prepare := func() {
		running.Add(1)
		go func() { defer running.Done(); p.prepareAll(building) }()
	}
	if o.Time > 0 {
		prepare()
		p.awaitTargets(ctx)
		p.start()
	} else {
		p.start()
		prepare()
	}
	for {
		t, ok := p.next(ctx)
		if !ok {
			break
		}
		running.Add(1)
		go func() { defer running.Done(); p.fuzz(ctx, t) }()
	}
	cancel() // of what is being prepared
	running.Wait()
	return p.result()
}

// pool is the state of one Run.
type pool struct {
	Options
	random *rand.Rand

	emitting sync.Mutex // one event at a time

	mu      sync.Mutex
	changed *sync.Cond
	arms    []*arm
	free    []int // numbers of the workers that nobody uses
	busy    time.Duration
	stood   time.Duration // length of the finished pauses
	stands  bool          // the pool is paused, and no turn runs
	halted  time.Duration // time by the clock at which it began to stand
	fuzzing bool          // fuzzing has begun
	begin   time.Duration // time by the clock at which fuzzing began
	preparation
}

// look wakes the goroutines that wait for a change of the state.
func (p *pool) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed.Broadcast()
}

func (p *pool) emit(e Event) {
	if p.OnEvent == nil {
		return
	}
	p.emitting.Lock()
	defer p.emitting.Unlock()
	p.OnEvent(e)
}

// next waits until there is a turn to take. It reports false when the campaign is over.
func (p *pool) next(ctx context.Context) (turn, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		left := p.left()
		if ctx.Err() != nil || p.Time > 0 && left <= 0 {
			return turn{}, false
		}
		if p.Control.Paused() {
			p.stand()
			continue
		}
		if p.stands {
			p.proceed()
			continue // there may be another pause
		}
		if t, ok := p.choose(left); ok {
			t.slots, p.free = slices.Clone(p.free[:t.workers]), p.free[t.workers:]
			p.arms[t.target].running = true
			return t, true
		}
		if p.allOver() {
			return turn{}, false
		}
		p.await(left)
	}
}

// elapsed returns the time of fuzzing without the pauses. It includes the time before the campaign was killed.
func (p *pool) elapsed() time.Duration {
	now := p.Clock()
	if p.stands {
		now = p.halted
	}
	return p.Spent + now - p.begin - p.stood
}

// left returns what is left of the time.
func (p *pool) left() time.Duration { return p.Time - p.elapsed() }

// allOver reports whether no target wants a turn, now or later.
func (p *pool) allOver() bool {
	for _, a := range p.arms {
		if !a.over {
			return false
		}
	}
	return true
}

// fuzz takes a turn.
func (p *pool) fuzz(ctx context.Context, t turn) {
	p.emit(Event{Target: t.target, What: Turn, Slots: t.slots})
	begin := p.Clock()
	err := p.Targets[t.target].Fuzz(ctx, t.length, t.more, t.workers)
	took := p.Clock() - begin
	progress := p.Targets[t.target].Progress()
	event := Event{Target: t.target}
	p.mu.Lock()
	a := p.arms[t.target]
	a.running = false
	a.note(took, t.workers, progress)
	p.free = append(p.free, t.slots...)
	slices.Sort(p.free)
	p.busy += took * time.Duration(t.workers)
	a.Over, a.warming, a.startup = progress.Done, progress.Warming, progress.Startup
	a.over = a.Over || p.Each > 0 && a.Time >= p.Each
	switch {
	case err != nil && ctx.Err() == nil:
		a.over, a.err = true, err
		event.What, event.Err = SetAside, err
	case p.Quiet && !a.over && a.quiet():
		a.over, a.Quiet = true, true
		event.What, event.Expect = WentQuiet, a.expect()
	}
	booked := Event{Target: t.target, What: Booked, Past: a.Past, Slots: t.slots}
	booked.Past.Samples = slices.Clone(a.Samples)
	p.changed.Broadcast()
	p.mu.Unlock()
	p.emit(booked)
	if event.What != 0 {
		p.emit(event)
	}
}

func (p *pool) result() Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := Result{Elapsed: p.elapsed()}
	if r.Elapsed > p.Spent {
		r.Busy = min(1, float64(p.busy)/float64((r.Elapsed-p.Spent)*time.Duration(p.Parallel)))
	}
	return r
}

// String names the kind of an event.
func (w What) String() string {
	names := [...]string{Begun: "begun", Preparing: "preparing", Prepared: "prepared", SetAside: "set aside", WentQuiet: "went quiet", Turn: "turn", Booked: "booked", Paused: "paused", Resumed: "resumed"}
	if int(w) < len(names) && names[w] != "" {
		return names[w]
	}
	return fmt.Sprintf("What(%d)", uint8(w))
}

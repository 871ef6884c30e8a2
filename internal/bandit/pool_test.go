package bandit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// clock is a time that only turns move. With one worker at a time it is exact. Its mutex guards the fakes too.
type clock struct {
	mu  sync.Mutex
	now time.Duration
}

func (c *clock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// fake is a target in which edges turn up at a rate that falls with half life.
type fake struct {
	clock   *clock
	total   float64       // edges that there are
	half    time.Duration // time in which half of the rest is found
	spent   time.Duration
	took    time.Duration // all turns
	turns   []int         // workers of each turn
	slow    time.Duration // one execution
	longest time.Duration // turn
	binary  string
	prepErr error
	fuzzErr error
	past    Past
	warm    time.Duration   // until then it warms up
	startup time.Duration   // of its workers, in each turn
	dead    bool            // its processes never get to fuzzing
	last    time.Duration   // turn
	lengths []time.Duration // of each turn
	more    []time.Duration // that it might take longer

	booked Past          // after the last turn
	aside  error         // why it was set aside
	expect time.Duration // when it went quiet
}

// note notes what the pool says about the target.
func (f *fake) note(e Event) {
	switch e.What {
	case Booked:
		f.booked = e.Past
	case SetAside:
		f.aside = e.Err
	case WentQuiet:
		f.expect = e.Expect
	}
}

func (f *fake) Past() Past { return f.past }

func (f *fake) Binary() string { return f.binary }

func (f *fake) Prepare(context.Context) error { return f.prepErr }

func (f *fake) Fuzz(_ context.Context, d, more time.Duration, workers int) error {
	f.clock.mu.Lock()
	defer f.clock.mu.Unlock()
	f.turns = append(f.turns, workers)
	f.longest, f.last = max(f.longest, d), d
	f.lengths, f.more = append(f.lengths, d), append(f.more, more)
	if d-f.startup >= f.slow && !f.dead { // otherwise the only execution is cut short
		f.spent += max(0, d-f.startup)
	}
	f.took += d
	f.clock.now += d
	return f.fuzzErr
}

func (f *fake) Progress() Progress {
	f.clock.mu.Lock()
	defer f.clock.mu.Unlock()
	if f.dead || f.spent == 0 && f.startup > 0 { // no process got to fuzzing
		return Progress{Startup: f.last}
	}
	return Progress{
		Execs: uint64(f.spent / max(f.slow, 1)), Edges: f.edges(max(0, f.spent-f.warm)),
		Warmed: max(0, f.took-f.warm), Warming: f.spent < f.warm, Startup: min(f.startup, f.longest),
	}
}

// edges returns how many edges are found after that time.
func (f *fake) edges(spent time.Duration) int {
	return int(f.total * (1 - math.Exp2(-float64(spent)/float64(f.half))))
}

// campaignOf runs a campaign with one worker over targets on a clock of their own.
func campaignOf(t *testing.T, o Options, fakes ...*fake) Result {
	t.Helper()
	return campaignUnder(t.Context(), o, fakes...)
}

// campaignUnder is campaignOf with a context.
func campaignUnder(ctx context.Context, o Options, fakes ...*fake) Result {
	c := &clock{now: time.Hour}
	for _, f := range fakes {
		f.clock = c
		if f.half == 0 {
			f.half = time.Second
		}
		o.Targets = append(o.Targets, f)
	}
	o.Parallel, o.Seed, o.Clock = 1, 1, c.Now
	onEvent := o.OnEvent
	o.OnEvent = func(e Event) {
		if e.Target >= 0 {
			fakes[e.Target].note(e)
		}
		if onEvent != nil {
			onEvent(e)
		}
	}
	return Run(ctx, o)
}

func TestTimeGoesWhereNewEdgesTurnUp(t *testing.T) {
	poor := &fake{total: 20, half: time.Second}
	rich := &fake{total: 5000, half: 10 * time.Minute}
	r := campaignOf(t, Options{Time: 10 * time.Minute}, poor, rich)
	if rich.spent < 4*poor.spent {
		t.Errorf("the target where edges turn up got %v, the exhausted one %v", rich.spent, poor.spent)
	}
	if floor := time.Duration(floorShare / 2 * 0.8 * float64(10*time.Minute)); poor.spent < floor {
		t.Errorf("the exhausted target got %v, less than its floor of %v", poor.spent, floor)
	}
	if r.Elapsed < 10*time.Minute || r.Busy < 0.99 {
		t.Errorf("the campaign took %v with the pool busy for %.0f %%", r.Elapsed, 100*r.Busy)
	}
}

func TestTheFirstTargetsGetHalfOfTheTime(t *testing.T) {
	own := &fake{total: 20}
	fakes := []*fake{own}
	for range 8 {
		fakes = append(fakes, &fake{total: 5000, half: 10 * time.Minute})
	}
	campaignOf(t, Options{Time: 10 * time.Minute, Own: 1}, fakes...)
	if off := own.took - 5*time.Minute; off < -maxTurn || off > maxTurn {
		t.Errorf("the first target got %v of 10m", own.took)
	}
	for _, f := range fakes[1:] {
		if f.took < 5*time.Second {
			t.Errorf("another target got %v only", f.took)
		}
	}
}

func TestTheSplitBeatsAnEqualOne(t *testing.T) {
	const budget = time.Hour
	var fakes []*fake
	equal := 0
	for i := range 200 {
		f := &fake{total: 30, half: 500 * time.Millisecond}
		if i%20 == 0 {
			f.total, f.half = 2000, 5*time.Minute
		}
		fakes = append(fakes, f)
		equal += f.edges(budget / 200)
	}
	campaignOf(t, Options{Time: budget}, fakes...)
	split := 0
	for _, f := range fakes {
		split += f.edges(f.spent)
	}
	if split < equal*3/2 {
		t.Errorf("%d edges were found, with equal shares %d", split, equal)
	}
}

func TestEveryTargetHasATurnFirst(t *testing.T) {
	var fakes []*fake
	for range 10 {
		fakes = append(fakes, &fake{total: 1})
	}
	fakes[0].total = 1e6
	campaignOf(t, Options{Time: 15 * time.Second}, fakes...)
	for i, f := range fakes {
		if len(f.turns) == 0 {
			t.Errorf("target %d had no turn", i)
		}
	}
}

func TestEveryTargetHasATurnOfASmallBudget(t *testing.T) {
	var fakes []*fake
	for range 20 {
		fakes = append(fakes, &fake{total: 100})
	}
	campaignOf(t, Options{Time: 3 * time.Second}, fakes...)
	for i, f := range fakes {
		if len(f.turns) == 0 || f.lengths[0] < leastTurn {
			t.Errorf("target %d has the turns %v", i, f.lengths)
		}
	}
}

func TestATargetWhoseExecutionsTakeLongGetsLongerTurns(t *testing.T) {
	slow, quick := &fake{total: 9, slow: 30 * time.Second}, &fake{total: 9}
	campaignOf(t, Options{Time: 20 * time.Minute}, slow, quick)
	if slow.spent == 0 || slow.longest < slow.slow || quick.longest > maxTurn {
		t.Errorf("executions of %v had turns of up to %v, those of the other target of up to %v", slow.slow, slow.longest, quick.longest)
	}
}

func TestWhatATargetIsGivenIsExecutedFirst(t *testing.T) {
	for _, tt := range []struct {
		name string
		warm time.Duration
		from time.Duration // that it gets
		to   time.Duration
	}{
		{"all of it", 20 * time.Second, 20 * time.Second, time.Minute},
		{"unless that takes much more than its share", time.Hour, warmShare * time.Minute / 4, warmShare*time.Minute/4 + 3*maxTurn},
	} {
		t.Run(tt.name, func(t *testing.T) {
			given := &fake{total: 1, warm: tt.warm}
			campaignOf(t, Options{Time: time.Minute}, given, &fake{total: 1e6, half: time.Hour}, &fake{total: 1e6, half: time.Hour}, &fake{total: 1e6, half: time.Hour})
			if given.spent < tt.from || given.spent > tt.to {
				t.Errorf("it had %v, want %v to %v", given.spent, tt.from, tt.to)
			}
		})
	}
}

func TestWhatCannotBeFuzzedStopsNobody(t *testing.T) {
	broken, failing, good := &fake{prepErr: errors.New("does not build")}, &fake{fuzzErr: errors.New("closed its pipes")}, &fake{total: 9}
	var events []What
	campaignOf(t, Options{Time: time.Minute, OnEvent: func(e Event) { events = append(events, e.What) }}, broken, failing, good)
	if broken.aside != broken.prepErr || failing.aside != failing.fuzzErr || good.aside != nil {
		t.Errorf("the errors are %v, %v and %v", broken.aside, failing.aside, good.aside)
	}
	if len(broken.turns) != 0 || len(failing.turns) != 1 || good.spent < 50*time.Second {
		t.Errorf("the turns are %v and %v, the good target got %v", broken.turns, failing.turns, good.spent)
	}
	if n := len(slices.DeleteFunc(events, func(w What) bool { return w != SetAside })); n != 2 {
		t.Errorf("%d targets were reported as set aside, want 2", n)
	}
}

func TestTheEndOfACampaign(t *testing.T) {
	for _, tt := range []struct {
		name  string
		o     Options
		first fake
		check func(r Result, f, other *fake) bool
	}{
		{"each target has its time", Options{Each: 25 * time.Second}, fake{total: 9}, func(_ Result, f, other *fake) bool {
			return f.booked.Time == 25*time.Second && other.booked.Time == 25*time.Second
		}},
		{"when all are quiet", Options{Quiet: true}, fake{total: 9}, func(r Result, f, other *fake) bool {
			return f.booked.Quiet && other.booked.Quiet && r.Elapsed < time.Hour && f.expect > time.Minute
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, other := tt.first, fake{total: 5}
			if r := campaignOf(t, tt.o, &f, &other); !tt.check(r, &f, &other) {
				t.Errorf("the result is %+v after turns %v", r, f.turns)
			}
		})
	}
}

func TestAKilledCampaignGoesOn(t *testing.T) {
	rich := Past{Turns: 9, Time: time.Minute, Worker: time.Minute, Edges: 300, Execs: 5, Samples: []Sample{{time.Minute, 300}}}
	poor := Past{Turns: 9, Time: time.Minute, Worker: time.Minute, Edges: 3, Samples: []Sample{{time.Second, 3}, {59 * time.Second, 0}}}
	over := Past{Turns: 1, Time: time.Second, Worker: time.Second, Over: true}
	quiet := Past{Turns: 1, Time: 2 * time.Minute, Worker: 2 * time.Minute, Quiet: true}
	for _, tt := range []struct {
		name  string
		o     Options
		pasts []Past
		check func(r Result, f []*fake) bool
	}{
		{"with what is left of the time", Options{Time: 5 * time.Minute, Spent: 4 * time.Minute}, []Past{rich}, func(r Result, f []*fake) bool {
			return f[0].spent == time.Minute && r.Elapsed == 5*time.Minute && f[0].booked.Time == 2*time.Minute && f[0].booked.Turns > 9
		}},
		{"where new edges turned up", Options{Time: 30 * time.Second}, []Past{rich, poor}, func(_ Result, f []*fake) bool {
			return f[0].spent > 2*f[1].spent
		}},
		{"without targets that had no more to do", Options{Time: time.Minute}, []Past{over, rich}, func(_ Result, f []*fake) bool {
			return len(f[0].turns) == 0
		}},
		{"without targets that had their time", Options{Each: time.Minute}, []Past{rich, {}}, func(_ Result, f []*fake) bool {
			return len(f[0].turns) == 0 && f[1].spent == time.Minute
		}},
		{"without quiet targets, if they are not wanted", Options{Quiet: true, Time: time.Minute}, []Past{quiet, {}}, func(_ Result, f []*fake) bool {
			return len(f[0].turns) == 0 && len(f[1].turns) > 0
		}},
		{"with quiet targets, if they are", Options{Time: time.Minute}, []Past{quiet, rich}, func(_ Result, f []*fake) bool {
			return len(f[0].turns) > 0
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var fakes []*fake
			for _, past := range tt.pasts {
				fakes = append(fakes, &fake{past: past})
			}
			var last Past
			tt.o.OnEvent = func(e Event) {
				if e.What == Booked {
					last = e.Past
				}
			}
			r := campaignOf(t, tt.o, fakes...)
			if !tt.check(r, fakes) {
				t.Errorf("the result is %+v", r)
			}
			if last.Turns == 0 || len(last.Samples) == 0 || last.Worker == 0 {
				t.Errorf("the last turn was booked as %+v", last)
			}
		})
	}
}

func TestSamplesAreBounded(t *testing.T) {
	var a arm
	for i := range 10 * maxSamples {
		a.note(time.Second, 2, Progress{Edges: i, Warmed: time.Hour})
	}
	edges, worker := 0, time.Duration(0)
	for _, s := range a.Samples {
		edges += s.Edges
		worker += s.Worker
	}
	if len(a.Samples) > maxSamples || edges != 10*maxSamples-1 || worker != a.Worker {
		t.Errorf("%d samples have %d edges and %v, want %d and %v", len(a.Samples), edges, worker, 10*maxSamples-1, a.Worker)
	}
	recent, seconds := a.recent()
	if part := a.Worker.Seconds() / window; seconds < part || seconds > part+16 || recent > seconds {
		t.Errorf("the window has %v edges in %v s, want a quarter of %v", recent, seconds, a.Worker)
	}
}

func TestWhatCameAfterTheLastEdgeTellsAgainstATarget(t *testing.T) {
	var early, late arm
	early.note(time.Second, 2, Progress{Edges: 8, Since: 950 * time.Millisecond, Warmed: time.Second})
	late.note(time.Second, 2, Progress{Edges: 8, Warmed: time.Second})
	few, seconds := early.recent()
	many, _ := late.recent()
	if few != 0 || seconds != 1.9 || many != 8 {
		t.Errorf("in the window are %v edges in %v s, %v without a pause at the end", few, seconds, many)
	}
	if early.Worker != late.Worker || early.expect() <= late.expect() {
		t.Errorf("the next edges are expected in %v and %v", early.expect(), late.expect())
	}
}

func TestTheTimeBeforeFuzzingTellsNothing(t *testing.T) {
	var a arm
	a.note(time.Second, 2, Progress{Edges: 50, Known: 50, Warmed: 100 * time.Millisecond})
	if _, seconds := a.recent(); seconds != 0.2 || !a.fresh() || a.Worker != 2*time.Second {
		t.Errorf("a turn of 2 s has %v s of fuzzing, want 0.2, and too little: %v", seconds, a.fresh())
	}
	a.note(time.Second, 2, Progress{Edges: 60, Known: 50, Warmed: 1100 * time.Millisecond})
	if edges, seconds := a.recent(); edges != 10 || seconds != 2 || a.fresh() {
		t.Errorf("then %v edges in %v s are in the window, want 10 in 2; too little: %v", edges, seconds, a.fresh())
	}
}

func TestTheTimeThatFailuresTakeTellsNothing(t *testing.T) {
	var a arm
	a.note(10*time.Second, 1, Progress{Warmed: 10 * time.Second, Verifying: 9 * time.Second})
	if _, seconds := a.recent(); seconds != 1 || a.Worker != 10*time.Second {
		t.Errorf("a turn of 10 s with 9 s of minimizing has %v s of fuzzing, want 1", seconds)
	}
	a.note(2*time.Second, 1, Progress{Warmed: 12 * time.Second, Verifying: 9 * time.Second})
	if fuzzed := a.fuzzed(); fuzzed != 3*time.Second {
		t.Errorf("with 2 s more without a failure there are %v of fuzzing, want 3 s", fuzzed)
	}
	a.note(time.Second, 1, Progress{Warmed: 13 * time.Second, Verifying: 11 * time.Second})
	if fuzzed := a.fuzzed(); fuzzed != 3*time.Second {
		t.Errorf("a turn that other failures took as a whole makes it %v", fuzzed)
	}
}

// Two targets of the same kind, one with much to execute first.
func TestATargetThatWarmsUpInItsFirstTurnGetsItsShare(t *testing.T) {
	quick := &fake{total: 5000, half: time.Minute}
	loaded := &fake{total: 5000, half: time.Minute, warm: 1900 * time.Millisecond}
	campaignOf(t, Options{Time: 30 * time.Second}, loaded, quick)
	if loaded.spent < quick.spent/3 {
		t.Errorf("the target that warmed up got %v, the other one %v", loaded.spent, quick.spent)
	}
}

func TestTurnsOfATargetThatTakesLongToStartAreLonger(t *testing.T) {
	slow := &fake{total: 5000, half: time.Minute, startup: 8 * time.Second}
	quick := &fake{total: 50}
	campaignOf(t, Options{Time: 5 * time.Minute}, slow, quick)
	if starts := time.Duration(len(slow.turns)) * slow.startup; slow.longest < startFactor*slow.startup || starts > slow.took/3 {
		t.Errorf("of %v in %d turns, the longest of %v, %v went into starts", slow.took, len(slow.turns), slow.longest, starts)
	}
	if quick.longest > maxTurn {
		t.Errorf("a turn of the other target took %v", quick.longest)
	}
}

// A process that hangs before it gets to F.Fuzz, if only by its TestMain, is ended with its turn.
func TestATargetThatDoesNotStartTakesNoTimeOfTheOthers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		time  time.Duration
		share float64 // of the time, at most; an equal one is a quarter
	}{
		{"in a minute", time.Minute, 0.3},
		{"in an hour, in which others come to their end", time.Hour, 0.25},
		{"in a day", 24 * time.Hour, 0.1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dead := &fake{dead: true}
			campaignOf(t, Options{Time: tt.time}, &fake{total: 3000, half: time.Minute}, dead, &fake{total: 3000, half: time.Minute}, &fake{total: 50})
			if share := dead.took.Seconds() / tt.time.Seconds(); share > tt.share || dead.longest > maxTurn<<maxDoublings {
				t.Errorf("it had %.2f of the time in %d turns, the longest of %v", share, len(dead.turns), dead.longest)
			}
		})
	}
}

func TestATargetThatDoesNotStartHasAtMostAnEqualShareOfAShortTime(t *testing.T) {
	for _, budget := range []time.Duration{5 * time.Second, 20 * time.Second, time.Minute, 10 * time.Minute} {
		for n := 2; n <= 10; n++ {
			dead := &fake{dead: true}
			fakes := []*fake{dead}
			for range n - 1 {
				fakes = append(fakes, &fake{total: 3000, half: time.Minute})
			}
			campaignOf(t, Options{Time: budget}, fakes...)
			if most := budget/time.Duration(n) + minTurn; dead.took > most {
				t.Errorf("one of %d targets had turns of %v in %v, want at most %v", n, dead.lengths, budget, most)
			}
		}
	}
}

// A machine that is busy makes a start longer than a first turn. Until it had one that is long enough, nothing is known of the target.
func TestATargetThatStartsSlowlyIsNotTakenForAPoorOne(t *testing.T) {
	for _, tt := range []struct {
		name    string
		time    time.Duration
		startup time.Duration
	}{
		{"in half a minute", 30 * time.Second, 3 * time.Second},
		{"in two minutes", 2 * time.Minute, 12 * time.Second},
		{"without a limit of time, until it has lost a minute", 0, 25 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			slow := &fake{total: 5000, half: time.Minute, startup: tt.startup}
			fakes := []*fake{slow}
			for range 3 {
				fakes = append(fakes, &fake{total: 5000, half: time.Minute})
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			campaignUnder(ctx, Options{Time: tt.time, OnEvent: func(e Event) {
				if e.What == Booked && tt.time == 0 && fakes[1].took+fakes[2].took+fakes[3].took > 3*time.Minute {
					cancel()
				}
			}}, fakes...)
			if slow.spent == 0 {
				t.Errorf("a target that takes %v to start was fuzzed for %v in turns of %v; the others had %v", tt.startup, slow.spent, slow.lengths, fakes[1].took)
			}
		})
	}
}

func TestWorkersAreShared(t *testing.T) {
	for _, tt := range []struct {
		name              string
		parallel, targets int
		most              int
	}{
		{"more targets than workers", 2, 5, 1},
		{"more workers than targets", 8, 2, 4},
		{"one target gets all", 3, 1, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &clock{now: time.Hour}
			o := Options{Parallel: tt.parallel, Time: time.Minute, Clock: c.Now}
			var fakes []*fake
			for range tt.targets {
				f := &fake{clock: c, total: 9, half: time.Second}
				fakes = append(fakes, f)
				o.Targets = append(o.Targets, f)
			}
			Run(t.Context(), o)
			for i, f := range fakes {
				if len(f.turns) == 0 || slices.Max(f.turns) > tt.most {
					t.Errorf("target %d had turns with %v workers, want at most %d", i, f.turns, tt.most)
				}
			}
		})
	}
}

func TestACampaignEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := &clock{}
	onEvent := func(e Event) {
		if e.What == SetAside {
			t.Errorf("the end of the context is an error: %v", e.Err)
		}
	}
	Run(ctx, Options{Parallel: 2, Clock: c.Now, OnEvent: onEvent, Targets: []Arm{
		&fake{clock: c, half: 1}, &stopper{fake{clock: c, half: 1}, cancel},
	}})
}

// stopper is a target during whose turn the user stops the campaign.
type stopper struct {
	fake
	cancel func()
}

func (s *stopper) Fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	s.cancel()
	_ = s.fake.Fuzz(ctx, d, more, workers)
	return ctx.Err()
}

func TestGammaHasItsMean(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []float64{0.5, 1, 3, 50} {
		sum := 0.0
		const n = 20000
		for range n {
			sum += gamma(r, shape)
		}
		if mean := sum / n; math.Abs(mean-shape) > 0.05*shape {
			t.Errorf("the mean of gamma(%v) is %v", shape, mean)
		}
	}
}

func TestBinariesAreBuiltBeforeTheirOtherTargets(t *testing.T) {
	p := &pool{}
	for _, binary := range []string{"a", "a", "a", "b", "c", "c"} {
		p.Targets = append(p.Targets, &fake{binary: binary})
	}
	if got, want := p.spread(), []int{0, 3, 4, 1, 5, 2}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

func TestATargetThatWasNotFuzzedIsNotQuiet(t *testing.T) {
	for _, tt := range []struct {
		name    string
		workers int
		p       Progress
		warming bool
		want    bool
	}{
		{"all was warm-up", 16, Progress{Edges: 3000, Known: 3000, Since: 5 * time.Minute, Warming: true}, true, false},
		{"the warm-up took long and ended", 16, Progress{Edges: 3000, Known: 3000, Warmed: time.Second}, false, false},
		{"nearly all went into failures", 4, Progress{Edges: 10, Known: 10, Warmed: 5 * time.Minute, Verifying: 1190 * time.Second}, false, false},
		{"it was fuzzed in vain", 1, Progress{Edges: 10, Known: 10, Warmed: 5 * time.Minute}, false, true},
		{"it was fuzzed in vain since the last edge", 1, Progress{Edges: 10, Since: 290 * time.Second, Warmed: 5 * time.Minute}, false, true},
		{"the last edge was as hard to find", 1, Progress{Edges: 1, Since: 200 * time.Second, Warmed: 5 * time.Minute}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := arm{warming: tt.warming}
			a.note(5*time.Minute, tt.workers, tt.p)
			if got := a.quiet(); got != tt.want {
				t.Errorf("quiet = %v after %v of fuzzing", got, a.fuzzed())
			}
		})
	}
}

func TestEachTurnMayTakeLonger(t *testing.T) {
	f := &fake{total: 9}
	const overtime = 15 * time.Second
	campaignOf(t, Options{Time: time.Minute, Overtime: overtime}, f)
	left := time.Minute
	for i, more := range f.more {
		left -= f.lengths[i]
		if more != overtime { // also the last one, whose execution may hang as well as that of any other
			t.Errorf("turn %d may take %v longer, want %v, with %v left", i, more, overtime, left)
		}
	}
	if left != 0 {
		t.Errorf("the turns end %v before the campaign", left)
	}
}

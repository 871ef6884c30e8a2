package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// withWorker returns a turn that has a worker.
func withWorker(t *testing.T, l *lab) (*engine, *slot) {
	t.Helper()
	r, s := startTurn(t, l), &slot{}
	r.entries.setInstrumented(true)
	if err := r.pool.ensure(r.turn.ctx, s, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.pool.end(s) })
	return r, s
}

// addEntries gives a run entries of which each is kept for a counter of its own. What they have is their number.
func addEntries(r *engine, n int) {
	for i := range n {
		r.addEntry(&schedule.Entry{Args: args(fmt.Sprint(i)), Features: []cover.Feature{cover.Feature(8 * i)}})
	}
}

// driftFor lets time pass and has the drift check do what is due every now and then.
func driftFor(t *testing.T, r *engine, s *slot, d time.Duration) {
	t.Helper()
	for end := r.meter.execs + uint64(d/nominal); r.meter.execs < end; {
		r.meter.execs += uint64(driftFirst / nominal)
		if over, err := r.requests.drift.check(s); over || err != nil {
			t.Fatalf("the worker is no more: %v; %v", over, err)
		}
	}
}

func TestAProcessInWhichEntriesDoNotShowWhatTheyDidIsReplaced(t *testing.T) {
	const entries = 20
	chance := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		name     string
		lost     func(process, entry, time int) bool // in which process, and when there
		off      technique.Set
		workers  int // that were started in all
		reported int
	}{
		{"if a fresh one shows it", func(process, _, _ int) bool { return process == 1 }, 0, 2, 1},
		{"if a fresh one shows some of it", func(process, entry, _ int) bool { return process == 1 || entry < 5 }, 0, 3, 1},
		{"each time", func(process, _, time int) bool { return process == 1 || process < 4 && time > driftTimes }, 0, 4, 1},
		{"once if no process shows it", func(int, int, int) bool { return true }, 0, 2, 0},
		{"once if a fresh one shows it at first only", func(_, _, time int) bool { return time > 1 }, 0, 2, 0},
		{"once if each shows it once", func(process, entry, time int) bool { return process == 1 || entry%3 != time%3 }, 0, 2, 0},
		{"once if it shows by chance", func(int, int, int) bool { return chance.IntN(2) == 0 }, 0, 2, 0},
		{"not for one in ten", func(_, entry, _ int) bool { return entry < entries/2/lostIn }, 0, 1, 0}, // half are drawn at least
		{"not for what comes and goes", func(_, _, time int) bool { return time%3 > 0 }, 0, 1, 0},
		{"not if that is off", func(process, _, _ int) bool { return process == 1 }, technique.Renew, 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.Repeatable, l.opts.Without = true, tt.off
			times := map[string]int{}
			l.drift = func(f *fakeWorker, data string) (wire.Ran, error) {
				entry := 0
				if _, err := fmt.Sscan(data, &entry); err != nil {
					t.Fatal(err)
				}
				at := fmt.Sprint(f.setup.Seed, data)
				times[at]++
				return wire.Ran{Lost: tt.lost(len(l.workers), entry, times[at])}, nil
			}
			r, s := withWorker(t, l)
			addEntries(r, entries)
			r.meter.execs = uint64(driftFirst/nominal) - 1
			if over, err := r.requests.drift.check(s); over || err != nil || len(times) > 0 {
				t.Errorf("too early: %d entries are executed; %v, %v", len(times), over, err)
			}
			driftFor(t, r, s, 10*time.Minute)
			if len(l.workers) != tt.workers || len(warningsOf(l)) != tt.reported {
				t.Errorf("%d workers were started, and it is reported %+v; want %d, and %d warnings", len(l.workers), warningsOf(l), tt.workers, tt.reported)
			}
		})
	}
}

func TestTheDriftCheckCountsHowManyEntriesRepeat(t *testing.T) {
	l := newLab(t)
	l.opts.Repeatable = true
	times := map[string]int{}
	l.drift = func(_ *fakeWorker, data string) (wire.Ran, error) {
		times[data]++
		return wire.Ran{Lost: times[data] == 1 && (data == "1" || data == "2" || data == "3")}, nil // three of twenty, in their first execution
	}
	r, s := withWorker(t, l)
	addEntries(r, 20)
	driftFor(t, r, s, 10*time.Minute)
	checks, lost := 0, 0
	for _, name := range []string{"1", "2", "3"} {
		lost += min(1, times[name])
	}
	for _, n := range times {
		checks += n
	}
	state := r.Snapshot()
	if more := checks - state.Rerun; state.Rerun == 0 || more < 0 || more > lost || state.Rerun-state.Repeated != lost {
		t.Errorf("%d of %d executions repeat; %d were made, and %d entries were lost once", state.Repeated, state.Rerun, checks, lost)
	}
}

func TestOnlyEntriesThatCanShowADriftAreExecutedAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(r *engine, e *schedule.Entry)
		want   int
	}{
		{"one that has a counter", func(*engine, *schedule.Entry) {}, 1},
		{"not one that takes long", func(_ *engine, e *schedule.Entry) { e.Duration = driftSlow + 1 }, 0},
		{"not one that fails", func(r *engine, e *schedule.Entry) { r.entries.markFailing(e.ID) }, 0},
		{"not one that is kept for nothing", func(r *engine, e *schedule.Entry) {
			r.addEntry(&schedule.Entry{Args: args(""), Features: e.Features, Duration: driftSlow + 1})
		}, 0},
		{"none where nothing is instrumented", func(r *engine, _ *schedule.Entry) { r.entries.setInstrumented(false) }, 0},
	} {
		l := newLab(t)
		l.opts.Repeatable = true
		looks := 0
		l.drift = func(*fakeWorker, string) (wire.Ran, error) { looks++; return wire.Ran{}, nil }
		l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { looks++; return wire.Ran{}, nil }
		r, s := withWorker(t, l)
		e := &schedule.Entry{Args: args("long"), Features: []cover.Feature{8}, Duration: driftSlow}
		r.addEntry(e)
		tt.damage(r, e)
		if driftFor(t, r, s, driftFirst); looks != tt.want {
			t.Errorf("%s: %d are executed, want %d", tt.name, looks, tt.want)
		}
	}
}

func TestAFailureOfAnEntryThatIsExecutedAgainIsAFinding(t *testing.T) {
	l := newLab(t)
	l.opts.Repeatable, l.opts.KeepGoing = true, true
	l.drift = func(*fakeWorker, string) (wire.Ran, error) {
		return wire.Ran{Failed: true, Output: "    x_test.go:7: the table is full\n", Logged: 1}, nil
	}
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
		return wire.Ran{Failed: true, Output: "    x_test.go:7: the table is full\n", Logged: 1}, nil
	}
	r, s := withWorker(t, l)
	addEntries(r, 1)
	r.meter.execs = uint64(driftFirst / nominal)
	if over, err := r.requests.drift.check(s); !over || err != nil {
		t.Errorf("the task is to go on: %v; %v", !over, err)
	}
	if len(r.ledger.findings) != 1 || r.meter.granted != 0 {
		t.Errorf("there are %d findings, want 1; %d executions are promised", len(r.ledger.findings), r.meter.granted)
	}
}

func TestLooksTakeASmallPartOfTheTime(t *testing.T) {
	l := newLab(t)
	l.opts.Repeatable = true
	const cost = 1 << 20 // executions, which count as time
	made := uint64(0)
	l.drift = func(*fakeWorker, string) (wire.Ran, error) { made += cost; return wire.Ran{Execs: cost}, nil }
	r, s := withWorker(t, l)
	addEntries(r, 1)
	if driftFor(t, r, s, 10*time.Minute); made < cost || (made-cost)*driftShare > r.meter.execs { // the last one has to be earned yet
		t.Errorf("looks made %d of %d executions", made, r.meter.execs)
	}
}

// lookedAt returns a turn with a worker that loses nothing, and how often it was looked at.
func lookedAt(t *testing.T) (r *engine, s *slot, looks *int) {
	t.Helper()
	l := newLab(t)
	l.opts.Repeatable = true
	looks = new(int)
	l.drift = func(*fakeWorker, string) (wire.Ran, error) { *looks++; return wire.Ran{}, nil }
	r, s = withWorker(t, l)
	addEntries(r, 1)
	return r, s, looks
}

func TestANewProcessIsLookedAtSoon(t *testing.T) {
	r, s, looks := lookedAt(t)
	driftFor(t, r, s, 10*time.Minute)
	r.pool.end(s)
	if err := r.pool.ensure(r.turn.ctx, s, 0); err != nil {
		t.Fatal(err)
	}
	*looks = 0
	if over, err := r.requests.drift.check(s); over || err != nil || *looks > 0 {
		t.Errorf("at once it was looked at %d times; %v, %v", *looks, over, err)
	}
	if driftFor(t, r, s, driftFirst); *looks != 1 {
		t.Errorf("after %v it was looked at %d times", driftFirst, *looks)
	}
}

func TestAProcessThatLosesNothingIsLookedAtLessOften(t *testing.T) {
	r, s, looks := lookedAt(t)
	const minutes = 10
	driftFor(t, r, s, minutes*time.Minute)
	if *looks < minutes || *looks > minutes+10 {
		t.Errorf("in %d minutes it is looked at %d times", minutes, *looks)
	}
}

// A run of a number of executions makes as many, these among them.
func TestARunOfSomeExecutionsLooksAtItsProcessesWithinThem(t *testing.T) {
	for _, left := range []uint64{driftCost - 1, driftCost} {
		l := newLab(t)
		l.opts.Repeatable = true
		looks := uint64(0)
		l.drift = func(*fakeWorker, string) (wire.Ran, error) { looks++; return wire.Ran{Execs: 1}, nil }
		r, s := withWorker(t, l)
		addEntries(r, 1)
		r.meter.execs = uint64(driftFirst / nominal)
		r.MaxExecs = r.meter.execs + left
		before := r.meter.execs
		if over, err := r.requests.drift.check(s); over || err != nil {
			t.Fatal(over, err)
		}
		if want := left / driftCost; looks != want || r.meter.execs-before != want || r.meter.granted != 0 {
			t.Errorf("with %d executions left %d are made, %d are counted and %d promised; want %d and none", left, looks, r.meter.execs-before, r.meter.granted, want)
		}
	}
}

func TestAProcessThatCannotBeReplacedEndsTheRunWithTheReason(t *testing.T) {
	l := newLab(t)
	l.opts.Repeatable = true
	l.startErr = func(number int) error {
		if number == 2 {
			return errors.New("no process")
		}
		return nil
	}
	l.drift = func(*fakeWorker, string) (wire.Ran, error) { return wire.Ran{Lost: true}, nil }
	r, s := withWorker(t, l)
	e := &schedule.Entry{Args: args("0"), Features: []cover.Feature{8}}
	r.addEntry(e)
	r.meter.execs = uint64(driftFirst / nominal)
	if err := r.perform(s, &request{requests: r.requests, entry: e}); err == nil || err.Error() != "no process" || r.meter.granted != 0 {
		t.Errorf("the run ends with %v, and %d executions promised; want that there is no process, and none", err, r.meter.granted)
	}
}

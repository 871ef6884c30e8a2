package engine

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// withWorker returns a turn that has a worker.
func withWorker(t *testing.T, l *lab) (*run, *slot) {
	t.Helper()
	r, s := newTurn(t, l), &slot{}
	r.instrumented = true
	if err := r.ensureWorker(r.ctx, s, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.endWorker(s) })
	return r, s
}

func TestAProcessInWhichEntriesDoNotShowWhatTheyDidIsReplaced(t *testing.T) {
	const entries = 20
	for _, tt := range []struct {
		name    string
		lost    func(process, entry, time int) bool // in which process, and when there
		off     technique.Set
		workers int // that were started in all
		told    int
	}{
		{"if a fresh one shows it", func(process, _, _ int) bool { return process == 1 }, 0, 2, 1},
		{"if a fresh one shows some of it", func(process, entry, _ int) bool { return process == 1 || entry < 5 }, 0, 2, 1},
		{"once if no process shows it", func(int, int, int) bool { return true }, 0, 2, 0},
		{"not for one in ten", func(process, entry, _ int) bool { return entry < entries/lostIn }, 0, 1, 0},
		{"not for what comes and goes", func(_, _, time int) bool { return time == 1 }, 0, 1, 0},
		{"not if that is off", func(process, _, _ int) bool { return process == 1 }, technique.Renew, 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.Repeatable, l.opts.Without = true, tt.off
			times := map[string]int{}
			l.recall = func(f *fakeWorker, data string) (wire.Ran, error) {
				entry := 0
				if _, err := fmt.Sscan(data, &entry); err != nil {
					t.Fatal(err)
				}
				at := fmt.Sprint(f.setup.Seed, data)
				times[at]++
				return wire.Ran{Lost: tt.lost(len(l.workers), entry, times[at])}, nil
			}
			r, s := withWorker(t, l)
			for i := range entries {
				r.addEntry(&schedule.Entry{Args: args(fmt.Sprint(i)), Features: []cover.Feature{cover.Feature(8 * i)}})
			}
			r.execs = uint64(recallFirst/nominal) - 1
			for range 2 { // the first comes too early
				if err := r.recall(s); err != nil {
					t.Fatal(err)
				}
				r.execs++
			}
			if len(l.workers) != tt.workers || len(eventsOf[Warning](l)) != tt.told {
				t.Errorf("%d workers were started, and it is told %+v; want %d, and %d warnings", len(l.workers), eventsOf[Warning](l), tt.workers, tt.told)
			}
		})
	}
}

func TestAProcessThatLosesNothingIsLookedAtLessOften(t *testing.T) {
	l := newLab(t)
	l.opts.Repeatable = true
	looks := 0
	l.recall = func(*fakeWorker, string) (wire.Ran, error) { looks++; return wire.Ran{}, nil }
	r, s := withWorker(t, l)
	r.addEntry(&schedule.Entry{Args: args("0"), Features: []cover.Feature{8}})
	const minutes = 10
	for range minutes * 600 { // a tenth of a second each
		r.execs += uint64(recallFirst / nominal)
		if err := r.recall(s); err != nil {
			t.Fatal(err)
		}
	}
	if looks < minutes || looks > minutes+10 {
		t.Errorf("in %d minutes it is looked at %d times", minutes, looks)
	}
}

// A run of a number of executions makes as many, these among them.
func TestARunOfSomeExecutionsLooksAtItsProcessesWithinThem(t *testing.T) {
	for _, left := range []uint64{recallCost - 1, recallCost} {
		l := newLab(t)
		l.opts.Repeatable = true
		looks := uint64(0)
		l.recall = func(*fakeWorker, string) (wire.Ran, error) { looks++; return wire.Ran{Execs: 1}, nil }
		r, s := withWorker(t, l)
		r.addEntry(&schedule.Entry{Args: args("0"), Features: []cover.Feature{8}})
		r.execs = uint64(recallFirst / nominal)
		r.FuzzLimit = r.execs + left
		before := r.execs
		if err := r.recall(s); err != nil {
			t.Fatal(err)
		}
		if want := left / recallCost; looks != want || r.execs-before != want || r.granted != 0 {
			t.Errorf("with %d executions left %d are made, %d are counted and %d promised; want %d and none", left, looks, r.execs-before, r.granted, want)
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
	l.recall = func(*fakeWorker, string) (wire.Ran, error) { return wire.Ran{Lost: true}, nil }
	r, s := withWorker(t, l)
	e := &schedule.Entry{Args: args("0"), Features: []cover.Feature{8}}
	r.addEntry(e)
	r.execs = uint64(recallFirst / nominal)
	if err := r.perform(s, &task{entry: e}); err == nil || err.Error() != "no process" || r.granted != 0 {
		t.Errorf("the run ends with %v, and %d executions promised; want that there is no process, and none", err, r.granted)
	}
}

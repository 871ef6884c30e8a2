package board

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

var (
	begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	one   = event.Subject{Package: "example.com/m/a", Folder: "a", Func: "FuzzA"}
	other = event.Subject{Package: "example.com/m/b", Folder: "b", Func: "FuzzB"}
)

// timed is an event at a number of seconds since the beginning.
type timed struct {
	at float64
	e  event.Event
}

// play returns the state after some events, at a number of seconds.
func play(until float64, events ...timed) *State {
	s := NewState()
	at := func(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }
	for _, e := range events {
		s.Apply(event.Stamped{At: at(e.at), Event: e.e})
	}
	s.Advance(at(until))
	return s
}

// begun are the first events of a campaign with two targets, of which the first one has a turn of one worker.
func begun(more ...timed) []timed {
	return append([]timed{
		{0, event.Plan{Targets: []event.Subject{one, other}}},
		{0, event.Start{Module: "example.com/m", Targets: 2, Workers: 2, Seconds: 60}},
		{0, event.Turn{Subject: one, Slots: []int{0}}},
	}, more...)
}

func found(id string, t event.Subject, flaky bool) event.Finding {
	return event.Finding{Record: finding.Record{ID: id, Kind: finding.Panic, Package: t.Package, Folder: t.Folder, Target: t.Func, Flaky: flaky, Replays: 3, Repeats: 3}}
}

func TestThePhaseOfATarget(t *testing.T) {
	turn, over := event.Turn{Subject: one, Slots: []int{0}}, event.Turn{Subject: one, Slots: []int{0}, Over: true, Turns: 1, Execs: 9}
	warm := event.WarmUp{Subject: one, Run: event.Run{WarmingUp: true}}
	busy := event.Progress{Subject: one, Run: event.Run{Execs: 9}}
	for _, tt := range []struct {
		name   string
		events []event.Event
		want   Phase
	}{
		{"it waits", nil, Waiting},
		{"its test binary is built", []event.Event{event.Building{Packages: []string{one.Package}}}, Building},
		{"a binary with the race detector is built", []event.Event{event.Building{Packages: []string{one.Package}, Race: true}}, Waiting},
		{"it has not reached F.Fuzz", []event.Event{turn, event.Progress{Subject: one}}, Starting},
		{"its turn ends before it has reached F.Fuzz", []event.Event{turn, event.Turn{Subject: one, Slots: []int{0}, Over: true, Turns: 1}}, Paused},
		{"its corpus is read", []event.Event{turn, event.Loading{Subject: one, Done: 1, Total: 2}}, Loading},
		{"its seeds are executed", []event.Event{turn, warm}, Warming},
		{"it is fuzzed", []event.Event{turn, warm, busy}, Fuzzing},
		{"a failing input is minimized", []event.Event{turn, warm, busy, event.Minimize{Subject: one}}, Minimizing},
		{"the input is minimized", []event.Event{turn, warm, busy, event.Minimize{Subject: one}, busy}, Fuzzing},
		{"its turn is over", []event.Event{turn, warm, busy, over}, Paused},
		{"the campaign is paused", []event.Event{turn, warm, busy, over, event.Notice{What: event.Paused}}, Paused},
		{"no new edge is expected", []event.Event{turn, warm, busy, over, event.Notice{What: event.Quiet, Subject: one}}, Quiet},
		{"a quiet target has a turn", []event.Event{turn, warm, busy, over, event.Notice{What: event.Quiet, Subject: one}, turn}, Fuzzing},
		{"a quiet target shows an edge", []event.Event{event.Notice{What: event.Quiet, Subject: one}, event.Progress{Subject: one, Run: event.Run{Execs: 9, Edges: 3}}}, Paused},
		{"it has executed all that it may", []event.Event{turn, warm, event.Turn{Subject: one, Slots: []int{0}, Over: true, Done: true}}, Ended},
		{"it cannot be fuzzed", []event.Event{turn, event.Notice{What: event.Aside, Subject: one, Text: "no"}}, Aside},
		{"it calls f.Skip", []event.Event{event.Notice{What: event.Skipped, Subject: one, Text: "no"}}, Skipped},
		{"go test fails", []event.Event{turn, warm, over, event.TargetEnd{Subject: one, Result: event.Fails}}, Fails},
		{"the campaign ends before its seeds are executed", []event.Event{event.TargetEnd{Subject: one, Result: event.Unreached}}, Unreached},
		{"it ends set aside", []event.Event{event.Notice{What: event.Aside, Subject: one}, event.TargetEnd{Subject: one, Result: event.Unusable}}, Aside},
		{"it ends", []event.Event{turn, warm, over, event.TargetEnd{Subject: one, Result: event.Bug}}, Ended},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := play(1, timed{0, event.Plan{Targets: []event.Subject{one}}}, timed{0, event.Start{Workers: 1}})
			for _, e := range tt.events {
				s.Apply(event.Stamped{At: s.Now, Event: e})
			}
			if got := s.Phase(s.Find(one.Target())); got != tt.want {
				t.Errorf("the phase is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestATargetHasBegunWhenItHasReachedFFuzz(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    event.Event
		want int
	}{
		{"the package does not build", event.Notice{What: event.Aside, Subject: one, Text: "build"}, 0},
		{"the campaign ends before the first turn", event.TargetEnd{Subject: one, Result: event.Unreached}, 0},
		{"a process starts", event.Turn{Subject: one, Slots: []int{0}}, 0},
		{"a process has not reached F.Fuzz", event.Progress{Subject: one, Run: event.Run{Workers: 1}}, 0},
		{"the corpus is read", event.Loading{Subject: one}, 1},
		{"the warm-up begins", event.WarmUp{Subject: one}, 1},
		{"inputs were executed before a kill", event.Turn{Subject: one, Slots: []int{0}, Execs: 7}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := play(1, timed{0, event.Plan{Targets: []event.Subject{one, other}}}, timed{1, tt.e}).Totals().Begun; got != tt.want {
				t.Errorf("%d targets have begun, want %d", got, tt.want)
			}
		})
	}
}

// steady are reports of a number of executions per second, one each second from first to last.
func steady(t event.Subject, perSecond uint64, first, last int) (list []timed) {
	for s := first; s <= last; s++ {
		list = append(list, timed{float64(s), event.Progress{Subject: t, Run: event.Run{Execs: perSecond * uint64(s-first+1)}}})
	}
	return list
}

func TestTheRateOfATarget(t *testing.T) {
	over := event.Turn{Subject: one, Slots: []int{0}, Over: true, Execs: 3000, Turns: 1, Seconds: 30}
	for _, tt := range []struct {
		name     string
		events   []timed
		at       float64
		from, to float64
	}{
		{"nothing is executed", nil, 9, 0, 0},
		{"the first report", steady(one, 100, 1, 1), 1, 99, 101},
		{"half a minute of even reports", steady(one, 100, 1, 30), 30, 99, 101},
		{"a report is due", steady(one, 100, 1, 30), 31.5, 99, 101},
		{"the target hangs, and no report comes", steady(one, 100, 1, 30), 37, 35, 40},
		{"the target hangs for long", steady(one, 100, 1, 30), 120, 0, 0},
		{"the turn is over", append(steady(one, 100, 1, 30), timed{30, over}), 35, 35, 40},
		{"the turn is over for long", append(steady(one, 100, 1, 30), timed{30, over}), 120, 0, 0},
		{"executions before a kill", []timed{{1, event.Turn{Subject: other, Slots: []int{1}, Execs: 1e6}}, {2, event.Progress{Subject: other, Run: event.Run{Execs: 1e6}}}}, 2, 0, 0},
		{"the target has ended", append(steady(one, 100, 1, 30), timed{30, over}, timed{30, event.TargetEnd{Subject: one, Execs: 3000, Seconds: 60}}), 99, 50, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := play(tt.at, begun(tt.events...)...)
			sum := 0.0
			for _, one := range s.Targets {
				sum += s.Rate(one)
			}
			if sum < tt.from || sum > tt.to {
				t.Errorf("the rate is %v, want %v to %v", sum, tt.from, tt.to)
			}
			if total := s.Totals().Rate; !s.Find(one.Target()).ended && math.Abs(total-sum) > 1e-9 {
				t.Errorf("the rate of the campaign is %v, and that of its targets %v", total, sum)
			}
		})
	}
}

// Two targets take turns with one worker that always executes a hundred inputs a second.
func TestTheRateOfACampaignIsThatOfItsTurns(t *testing.T) {
	s, execs := play(0, begun()...), map[event.Subject]uint64{}
	for second := 1; second <= 40; second++ {
		now, before := one, other
		if second/4%2 == 1 {
			now, before = other, one
		}
		at := begin.Add(time.Duration(second) * time.Second)
		if second%4 == 0 {
			s.Apply(event.Stamped{At: at.Add(-time.Second), Event: event.Turn{Subject: before, Slots: []int{0}, Over: true, Execs: execs[before]}})
			s.Apply(event.Stamped{At: at.Add(-time.Second), Event: event.Turn{Subject: now, Slots: []int{0}, Execs: execs[now]}})
		}
		execs[now] += 100
		s.Apply(event.Stamped{At: at, Event: event.Progress{Subject: now, Run: event.Run{Execs: execs[now]}}})
		if got := s.Totals().Rate; got < 90 || got > 115 {
			t.Errorf("after %d s the rate is %v, want about 100", second, got)
		}
	}
}

func TestTheTimeOfACampaign(t *testing.T) {
	status := event.Status{Seconds: 5, Left: 55}
	for _, tt := range []struct {
		name          string
		events        []timed
		at            float64
		elapsed, left float64
		doing         Phase
	}{
		{"it fuzzes", nil, 3, 3, 57, Fuzzing},
		{"behind a status", []timed{{5.5, status}}, 7.5, 7, 53, Fuzzing},
		{"it is paused", []timed{{5, status}, {8, event.Notice{What: event.Paused}}}, 100, 8, 52, Paused},
		{"a status in the pause", []timed{{5, status}, {8, event.Notice{What: event.Paused}}, {10, event.Status{Seconds: 8, Left: 52}}}, 100, 8, 52, Paused},
		{"it goes on", []timed{{5, status}, {8, event.Notice{What: event.Paused}}, {100, event.Notice{What: event.Resumed}}}, 103, 11, 49, Fuzzing},
		{"it is resumed after a kill", []timed{{0, event.Start{Seconds: 30, Spent: 30}}}, 4, 34, 26, Fuzzing},
		{"it is over", []timed{{60, event.Status{Seconds: 60, Last: true}}}, 300, 60, 0, Ended},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := play(tt.at, begun(tt.events...)...)
			left, ok := s.Remaining()
			if got := s.Elapsed().Seconds(); got != tt.elapsed || left.Seconds() != tt.left || !ok || s.Doing() != tt.doing {
				t.Errorf("%v s have passed, %v s are left, and it is %q; want %v, %v and %q", got, left.Seconds(), s.Doing(), tt.elapsed, tt.left, tt.doing)
			}
		})
	}
	if s := play(1, timed{0, event.Building{Total: 1}}); s.Doing() != Building || s.Elapsed() != 0 {
		t.Errorf("before fuzzing begins it is %q, and %v have passed", s.Doing(), s.Elapsed())
	}
}

func TestFindingsAreCountedOnce(t *testing.T) {
	a, b := "0123456789abcdef", "fedcba9876543210"
	known := found(b, one, false)
	known.Known = &event.Known{Reason: "old"}
	unproven := found(b, one, false)
	unproven.Replays, unproven.Repeats = 0, 0
	for _, tt := range []struct {
		name       string
		events     []event.Event
		one, other Counts
		all        Counts
	}{
		{"a bug", []event.Event{found(a, one, false)}, Counts{Bugs: 1}, Counts{}, Counts{Bugs: 1}},
		{"a bug that is reported twice", []event.Event{found(a, one, false), found(a, one, false)}, Counts{Bugs: 1}, Counts{}, Counts{Bugs: 1}},
		{"a finding of each outcome", []event.Event{found(a, one, false), known, found("f", one, true)}, Counts{1, 1, 1}, Counts{}, Counts{1, 1, 1}},
		{"an unproven finding", []event.Event{unproven}, Counts{Flaky: 1}, Counts{}, Counts{Flaky: 1}},
		{"a flaky finding that becomes a bug", []event.Event{found(a, one, true), found(b, other, false), found(a, one, false)}, Counts{Bugs: 1}, Counts{Bugs: 1}, Counts{Bugs: 2}},
		{"a bug that two targets show", []event.Event{found(a, one, false), event.Again{Subject: other, ID: a, Result: event.Bug}}, Counts{Bugs: 1}, Counts{Bugs: 1}, Counts{Bugs: 1}},
		{"a bug that the history has lost", []event.Event{event.Again{Subject: one, ID: a, Result: event.Bug, Lost: true}}, Counts{Bugs: 1}, Counts{}, Counts{Bugs: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := play(0, begun()...)
			for _, e := range tt.events {
				s.Apply(event.Stamped{At: begin, Event: e})
			}
			x, y := s.Find(one.Target()), s.Find(other.Target())
			if x.Counts != tt.one || y.Counts != tt.other || s.Totals().Counts != tt.all {
				t.Errorf("the targets have %+v and %+v, and the campaign %+v; want %+v, %+v and %+v", x.Counts, y.Counts, s.Totals().Counts, tt.one, tt.other, tt.all)
			}
		})
	}
}

// A target that waited for an hour has had its last edge an hour ago, although it was not fuzzed meanwhile.
func TestTheLastEdgeIsByTheClock(t *testing.T) {
	s := play(3600, begun(timed{5, event.Progress{Subject: one, Run: event.Run{Execs: 9, Edges: 4}}}, timed{6, event.Progress{Subject: one, Run: event.Run{Execs: 99, Edges: 4}}})...)
	n := s.Snapshot()
	if got := n.Targets[0].SinceEdge; got != 3595 {
		t.Errorf("the last edge was %v s ago, want 3595", got)
	}
	if got := n.Targets[1].SinceEdge; got != 0 {
		t.Errorf("a target without an edge has had one %v s ago", got)
	}
}

func TestASnapshot(t *testing.T) {
	s := play(9, begun(
		timed{2, event.WarmUp{Subject: one, Run: event.Run{WarmingUp: true}}},
		timed{3, event.Progress{Subject: one, Run: event.Run{Execs: 50, Edges: 4, Entries: 3}}},
		timed{4, event.Turn{Subject: one, Slots: []int{0}, Over: true, Turns: 1, Seconds: 4, Spent: 4, Execs: 60, Next: 3, Low: 1, High: 9}},
		timed{5, event.Turn{Subject: other, Slots: []int{0, 1}}},
		timed{6, event.Cover{Subject: one, Reached: event.Reached{Covered: 3, Statements: 9}}},
	)...)
	n := s.Snapshot()
	a, b := n.Targets[0], n.Targets[1]
	if a.Execs != 60 || a.Turns != 1 || a.Share != 1 || a.Seconds != 4 || a.Next != 3 || a.NextHigh != 9 || a.Workers != 0 || a.State != "paused" || a.Covered != 3 || a.Result != event.Clean {
		t.Errorf("the first target is %+v", a)
	}
	if b.Workers != 2 || b.Begun || b.State != "starting" || b.Statements != 0 {
		t.Errorf("the second target is %+v", b)
	}
	if w := n.Workers; len(w) != 2 || w[0].Target != other || w[0].Since != 4 || w[1].Doing != event.Fuzzing {
		t.Errorf("the workers are %+v", w)
	}
	if x := n.Totals; x.Seconds != 9 || x.Begun != 1 || x.Targets != 2 || x.Execs != 60 || x.Edges != 4 || x.Entries != 3 || x.Left != 51 || n.Module != "example.com/m" {
		t.Errorf("the totals are %+v", x)
	}
}

// The numbers of a campaign stay when it is over: the dashboard and a scrape may come later.
func TestTheStateStaysWhenTheCampaignIsOver(t *testing.T) {
	s := play(500, begun(
		timed{1, event.Progress{Subject: one, Run: event.Run{Execs: 600, Edges: 4, Entries: 3}}},
		timed{60, event.Turn{Subject: one, Slots: []int{0}, Over: true, Turns: 1, Seconds: 60, Spent: 60, Execs: 600}},
		timed{60, event.Status{Seconds: 60, Execs: 600, Last: true, Reached: event.Reached{Covered: 3, Statements: 9}}},
		timed{60, event.TargetEnd{Subject: one, Result: event.Fails, Reason: "go test fails", Seconds: 60, Turns: 1, Execs: 600, Edges: 4, Entries: 3}},
		timed{60, event.TargetEnd{Subject: other, Result: event.Unreached}},
		timed{60, event.End{Seconds: 60}},
	)...)
	n := s.Snapshot()
	if x := n.Totals; x.Execs != 600 || x.Edges != 4 || x.Entries != 3 || x.Rate != 10 || x.Seconds != 60 || x.Covered != 3 || !x.Last {
		t.Errorf("the totals are %+v", x)
	}
	if a := n.Targets[0]; a.State != "fails" || a.Reason != "go test fails" || a.Execs != 600 || a.Rate != 10 || a.Share != 1 {
		t.Errorf("the target is %+v", a)
	}
}

func TestTheSizeOfAStateDoesNotGrow(t *testing.T) {
	s := NewState()
	feed := func(from, to int) {
		for i := from; i < to; i++ {
			for j, name := range []event.Subject{one, other} {
				for _, e := range []event.Event{
					event.Progress{Subject: name, Run: event.Run{Execs: uint64(i), Edges: i}},
					event.Entry{Subject: name, Path: fmt.Sprint(i), Edges: 1},
					event.Notice{What: event.Warning, Subject: name, Text: "careful"},
					found(fmt.Sprintf("%016x", 2*i+j), name, false),
					event.Status{Seconds: float64(i)},
				} {
					s.Apply(event.Stamped{At: begin.Add(time.Duration(i) * time.Second), Event: e})
				}
			}
		}
	}
	size := func() (n int) {
		n = cap(s.Findings) + cap(s.Edges.points)
		for _, t := range s.Targets {
			n += len(t.Gains) + len(t.Entries) + len(t.Notices) + cap(t.Edges.points)
		}
		return n
	}
	feed(0, 3600)
	hour := size()
	feed(3600, 7200)
	if n := size(); n > hour || hour > 2*maxFindings+6*SeriesLen+2*(maxEntries+maxNotices) {
		t.Errorf("after an hour the state has %d parts, and %d after two", hour, n)
	}
	if s.Lost+len(s.Findings) != 14400 || s.Totals().Bugs != 14400 {
		t.Errorf("%d findings are left out, %d are kept, and %d counted", s.Lost, len(s.Findings), s.Totals().Bugs)
	}
}

func TestASeriesKeepsItsShapeWhenItIsHalved(t *testing.T) {
	var s Series
	for i := range 10000 {
		s.add(time.Duration(i)*time.Second, i)
	}
	if n := len(s.points); n > SeriesLen || n < SeriesLen/2 {
		t.Errorf("it has %d points", n)
	}
	for i, v := range s.points[:len(s.points)-1] {
		if want := (i+1)*int(s.step.Seconds()) - 1; v != want {
			t.Fatalf("point %d is %d, want %d", i, v, want)
		}
	}
	sum := 0
	for _, v := range s.Gains(9999*time.Second, 17) {
		sum += v
	}
	if sum != 9999 {
		t.Errorf("the gains are %d together, want 9999", sum)
	}
}

func TestABoardIsReadWhileEventsCome(t *testing.T) {
	b, seen := New(), uint64(0)
	var events sync.WaitGroup
	events.Go(func() {
		for i := range 500 {
			b.Apply(event.Stamped{At: begin, Event: event.Progress{Subject: one, Run: event.Run{Execs: uint64(i + 1)}}})
		}
	})
	for seen < 500 {
		now := b.Snapshot(begin).Totals.Execs
		if now < seen {
			t.Fatalf("%d executions come behind %d", now, seen)
		}
		seen = now
	}
	events.Wait()
}

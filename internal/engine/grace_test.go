package engine

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestARunInItsGracePeriodReportsOneFailureOfEachPlace(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.MaxExecs, l.opts.Grace = 5000, Grace{time.Hour, time.Hour, time.Hour}
	requests := 0
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		requests++
		switch requests {
		case 1:
			return failing("first", failedAt(7)), nil
		case 2:
			return failing("first again", failedAt(7)), nil
		case 3:
			return failing("with another message", "    x_test.go:7: never\n"), nil
		case 4:
			return failing("second", failedAt(8)), nil
		}
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Findings) != 2 || out.Findings[0].Place != "x_test.go:7" || out.Findings[1].Place != "x_test.go:8" {
		t.Fatalf("the findings are %+v, want the first failures at lines 7 and 8", out.Findings)
	}
	for _, f := range out.Findings {
		if l.checkFile(f.Path) == "" || f.Replays != 1 {
			t.Errorf("the finding at %s was replayed %d times, want once", f.Place, f.Replays)
		}
	}
	if len(l.files(l.opts.CorpusDir)) != 2 || len(eventsOf[foundEvent](l)) != 2 || !slices.Equal(again(l), []bool{false, true}) {
		t.Errorf("%d files are there and the events are %+v, want two findings, and that the run goes on after each", len(l.files(l.opts.CorpusDir)), l.events)
	}
	if out.Final.Execs < 5000 {
		t.Errorf("the run ended after %d executions, want all", out.Final.Execs)
	}
}

// again says for each time that the run went on whether it had done so before.
func again(l *lab) (list []bool) {
	for _, e := range eventsOf[event.Grace](l) {
		list = append(list, e.Again)
	}
	return list
}

func TestEachFailurePutsTheEndOff(t *testing.T) {
	l := newLab(t)
	l.opts.Grace = Grace{Min: time.Second, Max: 10 * time.Second, All: 25 * time.Second}
	c := l.useClock()
	r := startTurn(t, l)
	r.meter.begin(0)
	r.ledger.settling = 1
	closedAt := func(elapsed time.Duration) bool { // the timer may have fired too
		c.set(elapsed)
		r.ledger.endGrace()
		r.ledger.mu.Lock()
		defer r.ledger.mu.Unlock()
		return r.ledger.closed
	}
	for _, step := range []struct{ found, on time.Duration }{
		{100 * time.Millisecond, time.Second},
		{900 * time.Millisecond, time.Second},
		{1500 * time.Millisecond, 1500 * time.Millisecond},
		{3 * time.Second, 3 * time.Second},
		{6 * time.Second, 6 * time.Second},
		{12 * time.Second, 10 * time.Second},
		{21 * time.Second, 4100 * time.Millisecond}, // all of the time behind the first one
		{25100 * time.Millisecond, 0},
	} {
		c.set(step.found)
		r.ledger.mu.Lock()
		on := r.ledger.extendGrace()
		r.ledger.grace.timer.Stop()
		r.ledger.mu.Unlock()
		if on != step.on {
			t.Errorf("after a failure at %v the run goes on for %v, want %v", step.found, on, step.on)
		}
		if closedAt(step.found+step.on-1) && step.on > 0 {
			t.Errorf("the run ends a moment before it has gone on for %v", step.on)
		}
	}
	if !closedAt(c.Now() + 1) {
		t.Error("the run does not end")
	}
}

func TestTheGracePeriodEnds(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.Grace, l.parallel = Grace{time.Millisecond, time.Millisecond, time.Hour}, 2
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if f.number == 1 {
			return failing("bad", failedAt(7)), nil
		}
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context()) // there is no other limit
	if err != nil || len(out.Findings) != 1 {
		t.Errorf("Run = %+v, %v, want one finding", out.Findings, err)
	}
}

func TestAFailingSeedEndsARunInItsGracePeriodAtOnce(t *testing.T) {
	l := newLab(t)
	l.seeds("bad")
	l.opts.Grace = Grace{time.Hour, time.Hour, time.Hour}
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { return ranFailing(failedAt(7)), nil }
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 || len(eventsOf[event.Grace](l)) != 0 {
		t.Errorf("Run = %+v, %v with %+v, want the seed and nothing else", out.Findings, err, l.events)
	}
}

func TestAFindingIsMinimizedToItsEndWhenTheGracePeriodIsOver(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.Grace, l.opts.Minimize.Time = Grace{time.Millisecond, time.Millisecond, time.Hour}, time.Minute
	over := make(chan struct{})
	l.onPreempt = sync.OnceFunc(func() { close(over) })
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "a" {
			return pass, nil
		}
		<-over
		if len(data) > 0 && data[len(data)-1] == 'X' {
			return ranFailing(failedAt(7)), nil
		}
		return pass, nil
	}
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("words X", failedAt(7)), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 || string(out.Findings[0].Input[0].Data) != "X" || l.checkFile(out.Findings[0].Path) != "X" {
		t.Errorf("Run = %+v, %v, want a finding that is minimized", out.Findings, err)
	}
}

func TestFindingsThatBecomeTheSameInputAreOne(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.MaxExecs, l.opts.Minimize.Execs, l.opts.Grace = 5000, 1000, Grace{time.Hour, time.Hour, time.Hour}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if strings.HasSuffix(data, "X") {
			return ranFailing(failedAt(7) + failedAt(8)), nil
		}
		return pass, nil
	}
	requests := 0
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		requests++
		switch requests {
		case 1:
			return failing("one X", failedAt(7)), nil
		case 2:
			return failing("two X", failedAt(8)), nil
		}
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 || len(eventsOf[foundEvent](l)) != 1 {
		t.Errorf("Run = %+v, %v with %d announced, want one finding", out.Findings, err, len(eventsOf[foundEvent](l)))
	}
	if files := l.files(l.opts.CorpusDir); len(files) != 1 || l.checkFile(out.Findings[0].Path) != "X" {
		t.Errorf("the files %v are left, want that of the minimized input", files)
	}
}

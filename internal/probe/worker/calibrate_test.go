//go:build unix

package worker

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// An image encoder may take seconds for a seed: it is executed once, but for the first of all, which is repeated once. What
// only the repetition shows is not believed.
func TestASlowSeedIsHardlyRepeated(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		p.hit(64 * len(data))
		if p.calls == 2 {
			p.hit(64 * 7)
		}
		spend(slowExec)
	})
	for _, tt := range []struct {
		in         string
		execs, new int
		want       []int
	}{{"ab", 2, 2, []int{0, 128}}, {"abc", 1, 1, []int{192}}} {
		r := s.run(tt.in, true)
		if int(r.Execs) != tt.execs || r.Edges != tt.new || !slices.Equal(edges(r.Added), tt.want) || len(r.Features) != 2 {
			t.Errorf("the seed %q took %d executions, added the edges %v (%d new) and has the features %v, want %+v and two features", tt.in, r.Execs, edges(r.Added), r.Edges, r.Features, tt)
		}
		if r.Nanos < uint64(slowExec) {
			t.Errorf("a seed that takes %v is told to take %d ns", slowExec, r.Nanos)
		}
	}
}

// The first execution of all may make tables: that is neither what the seed takes nor what it shows.
func TestTheFirstExecutionMayBeSlow(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		p.hit(64 * len(data))
		if p.calls == 1 {
			p.hit(64 * 7)
			spend(slowExec)
		}
	})
	r := s.run("ab", true)
	if want := []int{0, 128}; r.Execs != 3 || !slices.Equal(edges(r.Added), want) || r.Nanos >= uint64(slowExec) {
		t.Errorf("a seed took %d executions, %d ns, and added the edges %v, want 3, less than %v, and %v", r.Execs, r.Nanos, edges(r.Added), slowExec, want)
	}
}

// spend keeps the processor for that long.
func spend(d time.Duration) {
	for begin := time.Now(); time.Since(begin) < d; {
		runtime.Gosched()
	}
}

func TestFlakyFeaturesAreStruckAfterThreeTimes(t *testing.T) {
	// Edge 1 shows in every third call and never twice in a row.
	w, p := offline(t, func(_ *testing.T, _ []byte, p *process) {
		if p.calls%3 == 0 {
			p.hit(1)
		}
	}, "seed")
	w.run.cov.Merge([]cover.Feature{0})
	for w.run.limit = 3000; w.run.spent < w.run.limit; {
		if _, err := w.loop.once(wire.Fuzz{}); err != nil {
			t.Fatal(err)
		}
	}
	flaky := cover.Feature(8)
	if w.feed.strikes[flaky] != maxStrikes {
		t.Errorf("the flaky feature has %d strikes, want %d", w.feed.strikes[flaky], maxStrikes)
	}
	if w.run.cov.Known(flaky) {
		t.Error("the flaky feature was merged")
	}
	if p.calls != 3000 {
		t.Errorf("%d calls, want 3000", p.calls)
	}
}

// Something new in the last execution but one leaves room for one repetition.
func TestAFeatureOfOneRepetitionAloneIsNotReported(t *testing.T) {
	const steady, once = 1, 2
	mutants := 0
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if string(data) == "seed" {
			return
		}
		p.hit(steady)
		if mutants++; mutants == 2 {
			p.hit(once)
		}
	})
	s.seed(1, "seed")
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: 2})
	if len(r.found) != 1 || !slices.Equal(edges(r.found[0].Added), []int{steady}) {
		t.Errorf("a request of two executions reports %+v, want edge %d alone", r.found, steady)
	}
}

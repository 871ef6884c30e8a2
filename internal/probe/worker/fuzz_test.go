//go:build unix

package worker

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestPreemptEndsABurst(t *testing.T) {
	s := start(t, func(_ *testing.T, _ []byte, p *process) {
		if p.calls == 1000 {
			p.coord.Preempt()
		}
	})
	s.seed(1, "seed")
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 1 << 40}); s.p.calls != 1000 || r.done.Execs != 997 { // the seed took three
		t.Errorf("preempted in call 1000, the worker made %d calls and reported %d", s.p.calls, r.done.Execs)
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100}); r.done.Execs != 0 {
		t.Errorf("while it is preempted, a request made %d executions", r.done.Execs)
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100, Study: true, Solve: true}); r.done.Execs != 0 || r.done.Solved {
		t.Errorf("while it is preempted, a request with suggestions says %+v", r.done)
	}
	s.seg.ClearPreempt()
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100}); r.done.Execs != 100 {
		t.Errorf("after the preemption was taken back, a request made %d executions, want 100", r.done.Execs)
	}
}

func TestTheHotLoopDoesNotAllocate(t *testing.T) {
	w, p := offline(t, func(_ *testing.T, data []byte, p *process) {
		for _, c := range data {
			p.hit(64 + int(c)%8)
		}
	}, "a seed of some bytes, and numbers 12345")
	w.run.limit = 200
	never := func() bool { return false }
	// All buckets are known, so that nothing new ends the burst.
	w.run.cov.Merge(all(0, 1024))
	if n := testing.AllocsPerRun(50, func() {
		w.run.spent = 0
		if !w.loop.burst(nil, never) || w.loop.end != endBudget || w.run.spent != 200 {
			t.Fatalf("the burst ended by %d after %d executions", w.loop.end, w.run.spent)
		}
	}); n != 0 {
		t.Errorf("200 executions allocate %v times", n)
	}
	if p.calls != 51*200 {
		t.Errorf("%d calls, want %d", p.calls, 51*200)
	}
}

func TestABurstEndsWithTheBytesOfItsRequest(t *testing.T) {
	size := 0
	w, p := offline(t, func(_ *testing.T, data []byte, _ *process) { size += len(data) }, strings.Repeat("a seed of some bytes", 50))
	w.run.cov.Merge(all(0, 1024))
	const limit = 50_000
	w.run.allow(1000, limit)
	if !w.loop.burst(nil, func() bool { return false }) || w.loop.end != endBudget || p.calls < 10 || p.calls > 100 {
		t.Errorf("the burst ended by %d after %d executions, of %d bytes; want no more than %d bytes", w.loop.end, p.calls, size, limit)
	}
}

func BenchmarkBurst(b *testing.B) {
	w, _ := offline(b, func(*testing.T, []byte, *process) {}, "a seed of some bytes, and numbers 12345")
	w.run.cov.Merge([]cover.Feature{0, 1, 2, 3, 4, 5, 6, 7})
	b.ReportAllocs()
	w.run.limit = uint64(b.N)
	b.ResetTimer()
	if w.loop.burst(nil, func() bool { return false }); w.loop.end != endBudget {
		b.Fatalf("the burst ended by %d", w.loop.end)
	}
}

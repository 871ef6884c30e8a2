//go:build unix

package work

import (
	"runtime/metrics"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// guarded returns a worker that looks for the input that allocates too much when the target has been called so often.
func guarded(t *testing.T, calls int, f pretend) (*worker, *process) {
	t.Helper()
	guard := &memoryGuard{limit: 1 << 60, jump: 1 << 60, sample: []metrics.Sample{{Name: totalMetric}}}
	w, p := newWorker(t, func(t *testing.T, data []byte, p *process) {
		if p.calls == calls {
			guard.jump = 1
			guard.tick.Add(1)
		}
		f(t, data, p)
		if p.calls == calls+1 {
			guard.jump = 1 << 60 // nothing is greedy
		}
	}, "a seed of some bytes")
	w.memory = guard
	w.cov.Merge([]cover.Feature{0})
	return w, p
}

func TestWhatShowsLateIsNotLostForMemory(t *testing.T) {
	shown := ""
	w, p := guarded(t, 9, func(_ *testing.T, data []byte, p *process) {
		if p.calls == 3 {
			shown = string(data)
		}
		if string(data) == shown {
			p.hit(3000)
		}
	})
	if again, err := w.fuzzOnce(wire.Fuzz{}); err != nil || again {
		t.Fatalf("fuzzOnce = %v, %v, want the end that a new edge is", again, err)
	}
	if w.end != endMemory || !w.cov.Known(3000*8) {
		t.Errorf("a burst of %d calls ended by %d, edge 3000 is known: %v", p.calls, w.end, w.cov.Known(3000*8))
	}
}

//go:build unix

package work

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// What a goroutine hits that the call has not waited for is of that execution, not of the next one.
func TestWhatAGoroutineThatIsLeftShowsIsOfItsExecution(t *testing.T) {
	var mu sync.Mutex
	left := 0
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if len(data) == 0 || data[0] < 0x80 {
			return
		}
		left++
		go func() {
			for range 3 {
				runtime.Gosched()
			}
			mu.Lock()
			defer mu.Unlock()
			p.hit(1)
		}()
	})
	s.seed(1, "aaaaaaaaaaaaaaaa")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000}, func(r fuzzed) bool {
		for _, n := range r.found {
			if in := text(t, n.Input); in[0] < 0x80 || !slices.Equal(edges(n.Added), []int{1}) {
				t.Errorf("%q is reported for the edges %v", in, edges(n.Added))
			}
		}
		return len(r.found) > 0
	})
	if left > 2*maxChain+4 { // as for inputs that start none
		t.Errorf("%d executions had left a goroutine until what it shows was found", left)
	}
}

// Goroutines that stay for ever do not hold up all later executions.
func TestGoroutinesThatStayAreWaitedForOnce(t *testing.T) {
	const many = 100 // so that those of other tests, which may be about to end, do not matter
	w, _ := newWorker(t, func(*testing.T, []byte, *process) {}, "seed")
	w.calm = runtime.NumGoroutine()
	before := w.calm
	stop := make(chan bool)
	defer close(stop)
	for range many {
		go func() { <-stop }()
	}
	for range 2 {
		if w.settle(); w.calm < before+many/2 {
			t.Fatalf("%d goroutines are taken for those that stay, want %d", w.calm, before+many)
		}
	}
}

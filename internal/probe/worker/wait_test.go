//go:build unix

package worker

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// What a goroutine hits that the call has not waited for is of that execution, not of the next one, however the call ends.
func TestWhatAGoroutineThatIsLeftShowsIsOfItsExecution(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(t *testing.T)
	}{
		{"which returns", func(*testing.T) {}},
		{"which skips", func(t *testing.T) { t.SkipNow() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mu sync.Mutex
			left := 0
			w, _ := offline(t, func(t *testing.T, data []byte, p *process) {
				if len(data) > 0 && data[0] >= 0x80 {
					left++
					go func() {
						for range 3 {
							runtime.Gosched()
						}
						mu.Lock()
						defer mu.Unlock()
						p.hit(1)
					}()
				}
				tt.end(t)
			}, "aaaaaaaaaaaaaaaa")
			w.run.wait.patience = time.Minute
			w.run.cov.Merge([]cover.Feature{0})
			var out bytes.Buffer
			w.answerTo(&out)
			w.setup.NoClock, w.setup.TrimMax = true, 256
			for _, in := range []string{"a", "\x80", "a", "\x80"} {
				w.run.once(input.Args{{Kind: input.Bytes, Data: []byte(in)}})
				if shown := slices.Contains(edges(w.run.trace), 1); shown != (in[0] >= 0x80) {
					t.Errorf("%q shows the edge: %v", in, shown)
				}
			}
			left = 0
			for w.run.limit = w.run.spent + 1000; out.Len() == 0 && w.run.spent < w.run.limit; {
				if _, err := w.loop.once(wire.Fuzz{ID: 1, MaxLen: 64}); err != nil {
					t.Fatal(err)
				}
			}
			checkOfItsExecution(t, &out)
			if left > 2*maxChain+4 { // as for inputs that start none
				t.Errorf("%d executions had left a goroutine until what it shows was found", left)
			}
		})
	}
}

// checkOfItsExecution holds what is reported to be of inputs that leave a goroutine.
func checkOfItsExecution(t *testing.T, out io.Reader) {
	t.Helper()
	kind, payload, err := wire.NewReader(out).Next()
	if err != nil || kind != wire.TypeNew {
		t.Fatalf("message %#x (%v), want something new", uint8(kind), err)
	}
	n, err := wire.DecodeNew(payload)
	if err != nil {
		t.Fatal(err)
	}
	if in := text(t, n.Input); in[0] < 0x80 || !slices.Equal(edges(n.Added), []int{1}) {
		t.Errorf("%q is reported for the edges %v", in, edges(n.Added))
	}
}

// many goroutines do not vanish among those of other tests, which may be about to end.
const many = 100

// stay starts goroutines that stay until the test ends.
func stay(t *testing.T) {
	stop := make(chan bool)
	var all sync.WaitGroup
	t.Cleanup(func() { close(stop); all.Wait() })
	all.Add(many)
	for range many {
		go func() { defer all.Done(); <-stop }()
	}
}

func TestGoroutinesThatWereThereBeforeAreNotWaitedFor(t *testing.T) {
	stay(t)
	for range 3 {
		var s goroutineWait
		if s.settle(runtime.NumGoroutine() + many/2); s.waited != 0 || s.vain != 0 {
			t.Errorf("%v are waited, and %d times in vain", s.waited, s.vain)
		}
	}
}

func TestGoroutinesThatStayAreWaitedForSomeTimesOnly(t *testing.T) {
	s := goroutineWait{patience: time.Nanosecond}
	before := runtime.NumGoroutine() + many/2 // of those that stay, half are of the execution
	stay(t)
	for range 3 * waitTries {
		s.calm, s.waited = before, 0 // as if each execution left more of them, and took much longer
		s.settle(before)
	}
	if s.vain != waitTries {
		t.Errorf("they are waited for in vain %d times, want %d", s.vain, waitTries)
	}
}

func TestWaitingTakesASmallPartOfTheTime(t *testing.T) {
	before := runtime.NumGoroutine() + many/2
	stay(t)
	for _, tt := range []struct {
		name   string
		waited time.Duration // in the last hour
		waits  bool
	}{
		{"no more than its share", time.Hour / waitShare / 2, true},
		{"and none beyond it", time.Hour / waitShare * 2, false},
	} {
		s := goroutineWait{patience: time.Nanosecond, begun: time.Now().Add(-time.Hour), waited: tt.waited}
		if s.settle(before); (s.waited > tt.waited) != tt.waits {
			t.Errorf("%s: it waits: %v", tt.name, !tt.waits)
		}
	}
}

func TestGoroutinesThatEndAreWaitedFor(t *testing.T) {
	// With one processor the goroutines run only while this one yields: most are still there when settle begins.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := goroutineWait{patience: time.Minute, vain: 3}
	before := runtime.NumGoroutine()
	for i := range many {
		go func() {
			for range i {
				runtime.Gosched()
			}
		}()
	}
	if s.settle(before); runtime.NumGoroutine() > before || s.waited == 0 || s.vain != 0 {
		t.Errorf("%d goroutines are there, %d were; %d times in vain", runtime.NumGoroutine(), before, s.vain)
	}
}

package oracle

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// block starts goroutines that wait until release is called, which returns when they have ended.
func block(n int) (release func()) {
	stop, ended := make(chan bool), make(chan bool)
	for range n {
		go waiting(stop, ended)
	}
	return func() {
		close(stop)
		for range n {
			<-ended
		}
	}
}

func waiting(stop, ended chan bool) {
	<-stop
	ended <- true
}

// strand starts goroutines that nothing can wake up, so they stay: as of Go 1.27 the runtime knows of each other one that it may end.
func strand(n int) {
	for range n {
		go waiting(make(chan bool), nil)
	}
}

func TestLeftBehindNamesWhoWaits(t *testing.T) {
	before := Running()
	strand(3)
	// They are on their way to wait.
	g := LeftBehind(before)
	for deadline := time.Now().Add(10 * time.Second); g.Count < 3 && time.Now().Before(deadline); g = LeftBehind(before) {
		runtime.Gosched()
	}
	if g.Count != 3 || g.State != "chan receive" {
		t.Errorf("%d goroutines stay in state %q, want 3 in chan receive", g.Count, g.State)
	}
	if !strings.Contains(g.Stack, "oracle.waiting(") || !strings.Contains(g.Stack, "created by ") {
		t.Errorf("the stack is\n%s", g.Stack)
	}
	if g := LeftBehind(Running()); g.Count != 0 {
		t.Errorf("%d goroutines stay that were there before", g.Count)
	}
}

func TestSettleWaitsForTheEndOfGoroutines(t *testing.T) {
	const sure = 2                  // the one of this test, and the one that waits for it
	count := runtime.NumGoroutine() // with those of other tests that are about to end
	release := block(2)
	if Settle(sure+1, time.Millisecond) {
		t.Error("two goroutines more have settled")
	}
	release()
	if !Settle(count, 10*time.Second) {
		t.Error("goroutines that have ended do not settle")
	}
}

func TestWaitsIsForOthers(t *testing.T) {
	for state, want := range map[string]bool{
		"chan receive": true, "chan send, 2 minutes": true, "select": true, "select (no cases)": true, "sync.Mutex.Lock": true,
		"sync.WaitGroup.Wait": true, "semacquire": true, "IO wait": true, "chan receive (leaked)": true,
		"running": false, "runnable": false, "sleep": false, "syscall": false, "GC worker (idle)": false,
	} {
		if got := waits(state); got != want {
			t.Errorf("waits(%q) = %v, want %v", state, got, want)
		}
	}
}

func TestHeadReadsTheFirstLine(t *testing.T) {
	for _, tt := range []struct{ name, block, number, state string }{
		{"plain", "goroutine 7 [chan receive]:\nm.f()\n", "7", "chan receive"},
		{"with labels of Go 1.26", "goroutine 7 [chan receive labels:{\"a\": \"b\"}]:\nm.f()\n", "7", "chan receive labels:{\"a\": \"b\"}"},
		{"with labels of Go 1.27", "goroutine 7 [chan receive, 2 minutes] {a: \"[b]\", c: d}:\nm.f()\n", "7", "chan receive, 2 minutes"},
		{"with what the runtime adds", "\ngoroutine 70 gp=0xc000 m=nil [select, 2 minutes, locked to thread]:\n", "70", "select, 2 minutes, locked to thread"},
		{"something else", "m.f()\n\t/f.go:1\n", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			number, state, ok := head(tt.block)
			if number != tt.number || state != tt.state || ok != (tt.number != "") {
				t.Errorf("head = %q, %q, %v", number, state, ok)
			}
		})
	}
}

func TestCommonIsWhatMostStacksShare(t *testing.T) {
	stack := func(names ...string) string {
		text := "goroutine 7 [running]:\n"
		for _, n := range names {
			text += n + "(0x1, 0x2)\n\t/src/" + n + ".go:12 +0x1d\n"
		}
		return text + "created by testing.x in goroutine 1\n\t/src/testing.go:1 +0x1\n"
	}
	tests := []struct {
		name   string
		stacks []string
		want   string
	}{
		{"the top differs", []string{stack("a", "loop", "main"), stack("b", "loop", "main"), stack("loop", "main")}, "loop main"},
		{"one of four differs", []string{stack("loop", "main"), stack("loop", "main"), stack("loop", "main"), stack("other", "main")}, "loop main"},
		{"two of four differ", []string{stack("loop", "main"), stack("loop", "main"), stack("other", "main"), stack("other", "main")}, "main"},
		{"empty ones do not count", []string{"", stack("main"), ""}, "main"},
		{"nothing", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want string
			for _, n := range strings.Fields(tt.want) {
				want += n + "(...)\n\t/src/" + n + ".go:12\n"
			}
			if got := Common(tt.stacks); got != want {
				t.Errorf("Common =\n%swant\n%s", got, want)
			}
		})
	}
}

func TestGoroutinesThatTheRuntimeMayNotMarkAreCounted(t *testing.T) {
	block := func(number, state string) string {
		return "goroutine " + number + " [" + state + "]:\nm.enter(0x1)\n\t/src/m.go:5 +0x1\ncreated by m.leave in goroutine 1\n\t/src/m.go:6 +0x1\n"
	}
	for _, tt := range []struct {
		name   string
		states []string
		count  int
		exact  bool
	}{
		{"all of a mutex are marked", []string{"sync.Mutex.Lock (leaked)", "sync.Mutex.Lock (leaked)"}, 2, true},
		{"some of a mutex are marked", []string{"sync.Mutex.Lock (leaked)", "sync.Mutex.Lock", "semacquire"}, 3, false},
		{"those of a channel are marked or not left behind", []string{"chan receive (leaked)", "chan receive"}, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var blocks []string
			for i, state := range tt.states {
				blocks = append(blocks, block(strconv.Itoa(7+i), state))
			}
			if g := leftBehind(strings.Join(blocks, "\n"), nil, true); g.Count != tt.count || g.Exact != tt.exact {
				t.Errorf("%d goroutines are left behind, exact %v; want %d, %v", g.Count, g.Exact, tt.count, tt.exact)
			}
		})
	}
}

func TestLeftBehindBelievesTheRuntime(t *testing.T) {
	const all = `goroutine 1 [running]:
m.main()
	/src/m.go:1 +0x1

goroutine 5 [chan receive]:
m.registered(0x1)
	/src/m.go:5 +0x1
created by m.Register in goroutine 1
	/src/m.go:6 +0x1

goroutine 6 [chan receive, 2 minutes]:
m.registered(0x1)
	/src/m.go:5 +0x1
created by m.Register in goroutine 1
	/src/m.go:6 +0x1

goroutine 7 [select (no cases) (leaked)]:
m.lost(0x1)
	/src/m.go:9 +0x1
created by m.Lose in goroutine 1
	/src/m.go:10 +0x1

goroutine 8 [sleep]:
m.asleep(0x1)
	/src/m.go:12 +0x1
created by m.Sleep in goroutine 1
	/src/m.go:13 +0x1

goroutine 9 [chan receive]:
testing.tRunner(0x1)
	/src/testing.go:12 +0x1
created by testing.(*F).Fuzz in goroutine 1
	/src/fuzz.go:13 +0x1
`
	tests := []struct {
		name   string
		before Goroutines
		marked bool
		count  int
		state  string
	}{
		{"what waits counts", nil, false, 2, "chan receive"},
		{"what waits in vain counts", nil, true, 1, "select (no cases)"},
		{"what was there before does not count", Goroutines{"5": true, "6": true}, false, 1, "select (no cases)"},
		{"nothing is left", Goroutines{"5": true, "6": true, "7": true}, false, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if g := leftBehind(all, tt.before, tt.marked); g.Count != tt.count || g.State != tt.state {
				t.Errorf("%d goroutines stay in state %q, want %d in %q", g.Count, g.State, tt.count, tt.state)
			}
		})
	}
}

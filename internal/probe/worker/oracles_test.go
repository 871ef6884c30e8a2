//go:build unix

package worker

import (
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// measurement is all that a Measure request brought.
type measurement struct {
	wire.Measured
	failed []wire.Failed
}

// measure has the worker measure an input.
func (s *session) measure(m wire.Measure) (r measurement) {
	s.t.Helper()
	s.send(m)
	for {
		kind, payload := s.next()
		var err error
		switch kind {
		case wire.TypeFailed:
			var f wire.Failed
			f, err = wire.DecodeFailed(payload)
			r.failed = append(r.failed, f)
		case wire.TypeMeasured:
			if r.Measured, err = wire.DecodeMeasured(payload); err == nil {
				return r
			}
		default:
			s.t.Fatalf("the answer to Measure is %#x", kind)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// limitsOf are limits that tests reach soon, for some oracles.
func limitsOf(on oracle.Set) oracle.Limits {
	l := oracle.Limits{On: on}
	l.Set(oracle.Alloc, 4<<20)
	l.Set(oracle.Growth, uint64(5*time.Millisecond))
	l.Set(oracle.Leak, uint64(500*time.Millisecond))
	return l
}

// found returns the oracles that have reported something.
func (r measurement) found() (s oracle.Set) {
	for _, report := range r.Reports {
		s |= report.Oracle
	}
	return s
}

var (
	heap [][]byte
	busy int
)

//go:noinline
func fill() {
	for range 64 {
		heap = append(heap, make([]byte, 128<<10))
	}
	heap = nil
}

func waitFor(c chan int) { <-c }

// strand starts a goroutine that nothing can wake up, so it stays: as of Go 1.27 the runtime knows of each other one that it may end.
func strand() { go waitFor(make(chan int)) }

// search is quadratic in the number of letters x.
func search(b []byte) {
	for i := range b {
		for j := 0; b[i] == 'x' && j < len(b); j++ {
			busy += int(b[j])
		}
	}
}

func TestOraclesSeeWhatPasses(t *testing.T) {
	var kept [][]byte
	stuck, pool := make(chan int), 0
	defer func() { // a goroutine that ends later hides one that the next test leaves behind
		n := runtime.NumGoroutine()
		close(stuck)
		if !oracle.Settle(n-pool, time.Minute) {
			t.Error("goroutines of the pool go on after their channel is closed")
		}
	}()
	done := make(chan bool)
	once := false
	tests := []struct {
		name   string
		target pretend
		want   oracle.Set
	}{
		{"a target that does nothing", func(*testing.T, []byte, *process) {}, 0},
		{"one that allocates much", func(*testing.T, []byte, *process) { fill() }, oracle.Alloc},
		{"one that allocates much the first time", func(_ *testing.T, b []byte, p *process) {
			if p.calls == 1 {
				fill()
			}
		}, 0},
		{"one that leaves a goroutine behind", func(*testing.T, []byte, *process) { strand() }, oracle.Leak},
		{"one that leaves a goroutine behind which takes a moment before it waits", func(*testing.T, []byte, *process) {
			go func() { time.Sleep(5 * time.Millisecond); waitFor(make(chan int)) }()
		}, oracle.Leak},
		{"one that leaves one goroutine behind", func(*testing.T, []byte, *process) {
			if !once {
				once = true
				strand()
			}
		}, 0},
		{"one whose pool of goroutines grows until it is large enough", func(_ *testing.T, _ []byte, p *process) {
			if p.calls <= oracle.Persistence/2 {
				pool++
				go waitFor(stuck)
			}
		}, 0},
		{"one whose goroutine ends a little later", func(*testing.T, []byte, *process) {
			go func() { done <- true }()
			go func() { <-done }()
		}, 0},
		{"one that logs each time", func(t *testing.T, b []byte, p *process) { t.Log("x") }, 0},
		{"one that writes into its argument", func(_ *testing.T, b []byte, p *process) { b[1]++ }, oracle.Modify},
		{"one that keeps its argument", func(_ *testing.T, b []byte, p *process) { kept = append(kept, b[:1]) }, oracle.Keep},
		{"one that keeps the last argument", func(_ *testing.T, b []byte, p *process) { kept = [][]byte{b} }, 0},
		{"one that is quadratic", func(_ *testing.T, b []byte, p *process) { search(b) }, oracle.Growth},
		{"one that is linear and slow", func(_ *testing.T, b []byte, p *process) {
			for range b {
				search([]byte("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"))
			}
		}, 0},
	}
	var wanted oracle.Set
	for _, tt := range tests {
		wanted |= tt.want
	}
	if missing := oracle.All.Reporting() &^ wanted; missing != 0 {
		t.Errorf("no target is one that %s reports", missing)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, tt.target)
			s.p.silent = true // the test keeps inputs otherwise
			r := s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.All)})
			if r.found() != tt.want || len(r.failed) > 0 {
				t.Errorf("the oracles say %v, want something of %q", r, tt.want)
			}
			if r.Execs != uint64(s.p.calls) || r.Execs == 0 {
				t.Errorf("%d executions are reported, %d were made", r.Execs, s.p.calls)
			}
			if off := s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.All &^ tt.want)}); tt.want != 0 && off.found() != 0 {
				t.Errorf("with that oracle off the others say %v", off.Reports)
			}
		})
	}
}

func TestALeakOfMuchMemoryTakesFewExecutions(t *testing.T) {
	s := start(t, func(*testing.T, []byte, *process) {
		held := make([]byte, oracle.PersistSize/8) // whose pages are not touched
		go func() { waitFor(make(chan int)); runtime.KeepAlive(held) }()
	})
	r := s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.Leak)})
	if r.found() != oracle.Leak || s.p.calls > oracle.Persistence/2 {
		t.Errorf("the oracles say %v after %d executions", r.Reports, s.p.calls)
	}
}

func TestReportsNameThePlace(t *testing.T) {
	leaves := fmt.Sprintf("%d executions leave %[1]d", oracle.Persistence)
	if pprof.Lookup("goroutineleak") != nil { // the runtime can tell after a few
		leaves = fmt.Sprintf("%d executions leave %[1]d", oracle.Repeats)
	}
	tests := []struct {
		name    string
		target  pretend
		on      oracle.Set
		message string
		detail  string
	}{
		{"allocation", func(*testing.T, []byte, *process) { fill() }, oracle.Alloc, "one execution allocates 8200 KiB for 3 bytes of input", "worker.fill(...)\n"},
		{"goroutine", func(*testing.T, []byte, *process) { strand() }, oracle.Leak, leaves + " goroutines behind, blocked in chan receive", "worker.waitFor(...)\n"},
		{"time", func(_ *testing.T, b []byte, p *process) { search(b) }, oracle.Growth, "", "worker.search(...)\n"},
		{"write", func(_ *testing.T, b []byte, p *process) { b[2] = 'z' }, oracle.Modify, "the target writes into the memory of its argument 1: byte 2 was 0x78 and is 0x7a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, tt.target)
			limits := limitsOf(tt.on)
			limits.Set(oracle.Growth, 8*limits.Of(oracle.Growth)) // so long that stacks are taken in the target for the most part, on a busy machine too
			r := s.measure(wire.Measure{Input: packed("xyx"), Limits: limits})
			if len(r.Reports) != 1 {
				t.Fatalf("there are %d reports, want 1", len(r.Reports))
			}
			report := r.Reports[0]
			if words := strings.Fields(report.Message); tt.on == oracle.Alloc {
				words[3] = "8200" // and some for the machinery
				report.Message = strings.Join(words, " ")
			}
			if tt.on == oracle.Growth && strings.HasPrefix(report.Message, "time grows with the power ") {
				report.Message = ""
			}
			if report.Message != tt.message || !strings.Contains(report.Detail, tt.detail) {
				t.Errorf("the report is %q with\n%s", report.Message, report.Detail)
			}
		})
	}
}

func TestAStackIsOneOfTheTargetIfItHasAFrameOfIt(t *testing.T) {
	const (
		head   = "goroutine 7 [runnable]:\n"
		target = "example.com/parser.FuzzParse.func1(0x0?)\n\t/parser/parse_test.go:5\n"
		settle = "github.com/gnaw-fuzz/gnaw/internal/probe/worker.(*goroutineWait).settle(0xc0, 0x2)\n\t/worker/wait.go:30 +0x1\n"
		call   = "github.com/gnaw-fuzz/gnaw/internal/probe/worker.(*runner).call(0xc0, 0xc1)\n\t/worker/runner.go:144 +0x1\n"
	)
	for _, tt := range []struct {
		name, stack string
		want        bool
	}{
		{"in the target", head + target + call, true},
		{"before or after the target", head + call, false},
		{"in settle", head + settle + call, false},
		{"another goroutine", head + target, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := inTarget(tt.stack); got != tt.want {
				t.Errorf("inTarget = %v, want %v", got, tt.want)
			}
		})
	}
}

// A curve is measured again for the piece that the coordinator names.
func TestGrowthIsMeasuredForOnePiece(t *testing.T) {
	s := start(t, func(_ *testing.T, b []byte, p *process) { search(b) })
	s.p.silent = true
	for _, tt := range []struct {
		piece oracle.Piece
		want  oracle.Set
	}{{oracle.Piece{From: 0, To: 1}, oracle.Growth}, {oracle.Piece{From: 1, To: 2}, 0}} {
		r := s.measure(wire.Measure{Input: packed("xy"), Limits: limitsOf(oracle.All &^ oracle.Flaky), Piece: tt.piece})
		if r.found() != tt.want {
			t.Errorf("growing %+v says %v, want %q", tt.piece, r.Reports, tt.want)
		}
		if tt.want != 0 && r.Reports[0].Piece != tt.piece {
			t.Errorf("the piece is %+v, want %+v", r.Reports[0].Piece, tt.piece)
		}
	}
}

// An input that is slow as it is is not grown: that could take until the process counts as hanging.
func TestASlowInputIsNotGrown(t *testing.T) {
	longest := 0
	s := start(t, func(_ *testing.T, b []byte, p *process) {
		longest = max(longest, len(b))
		for range 200 {
			search([]byte(strings.Repeat("x", 400)))
		}
	})
	s.p.silent = true
	if r := s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.Growth)}); r.found() != 0 || longest > 3 {
		t.Errorf("an input of %d bytes was executed, and the oracle says %v", longest, r.Reports)
	}
}

// The place of a write is that of a panic in memory that cannot be written to.
func TestLocateFindsTheWriter(t *testing.T) {
	s := start(t, func(_ *testing.T, b []byte, p *process) { scribble(b) })
	r := s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.Modify), Locate: true})
	if len(r.Reports) != 1 || !strings.Contains(r.Reports[0].Detail, "worker.scribble(") {
		t.Errorf("the writer is not named: %+v", r)
	}
	if ran := s.run("a", false); ran.Failed {
		t.Errorf("the next execution fails: %s", ran.Output)
	}
}

//go:noinline
func scribble(b []byte) {
	if len(b) > 2 {
		b[2]++
	}
}

// A failure among many executions is one like all others, and ends the measurement.
func TestAFailureEndsTheMeasurement(t *testing.T) {
	s := start(t, func(t *testing.T, b []byte, p *process) {
		if p.calls == 3 {
			panic("now and then")
		}
	})
	r := s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.All)})
	if len(r.failed) != 1 || text(t, r.failed[0].Input) != "xyx" || !strings.Contains(r.failed[0].Output, "now and then") {
		t.Errorf("the failures are %+v, want one", r.failed)
	}
	if s.p.calls != 3 {
		t.Errorf("%d executions, want none after the failure", s.p.calls)
	}
}

func TestMeasurementsEndWhenTheCoordinatorAsks(t *testing.T) {
	s := start(t, func(_ *testing.T, b []byte, p *process) {
		if p.calls == 5 {
			p.coord.Preempt()
		}
	})
	if r := s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.All)}); r.Execs != 5 || len(r.Reports) > 0 {
		t.Errorf("%d executions and %v, want an end after 5", r.Execs, r.Reports)
	}
}

// What a measurement executes is not in the map: what it shows is still new to those that fuzz.
func TestMeasurementsLeaveNoCoverage(t *testing.T) {
	s := start(t, func(_ *testing.T, b []byte, p *process) {
		if len(b) > 2 {
			p.hit(100)
		}
	})
	s.run("", true)
	s.measure(wire.Measure{Input: packed("xyx"), Limits: limitsOf(oracle.All)})
	if ran := s.run("", true); len(ran.Added) > 0 {
		t.Errorf("an input that showed nothing shows %v after a measurement", edges(ran.Added))
	}
	if ran := s.run("xyx", true); fmt.Sprint(edges(ran.Added)) != "[100]" {
		t.Errorf("what a measurement executed shows %v, want edge 100", edges(ran.Added))
	}
}

// Mutants that allocate much without anything new to show are named, once in a while.
func TestAMutantThatAllocatesMuchIsReported(t *testing.T) {
	s := start(t, func(_ *testing.T, b []byte, p *process) {
		if len(b) > 0 && b[0]%2 == 1 {
			fill()
		}
	})
	s.send(wire.Setup{Seed: 1, TrimMax: 256, MemLimit: 1 << 40, Alloc: 4 << 20})
	s.seed(1, "bb")
	var greedy []byte
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 2000}, func(r fuzzed) bool {
		greedy = r.done.Greedy
		return len(greedy) > 0
	})
	if data := text(t, greedy); data == "" || data[0]%2 != 1 {
		t.Errorf("the input %q is reported, which allocates nothing", data)
	}
}

//go:build unix

package work

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// orphanEnv has the test binary serve as a worker without a coordinator, with its segment in the folder that it names:
// that ends the process.
const orphanEnv = "GNAW_TEST_ORPHAN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(orphanEnv); dir != "" {
		serveOrphan(dir)
	}
	os.Exit(m.Run())
}

func TestHelloDescribesTheTarget(t *testing.T) {
	_, seg := segments(t)
	target := Target{
		Kinds: []input.Kind{input.String, input.Int}, Protocol: "p", Race: true, Counters: make([]byte, 77),
		Seeds: []input.Args{{{Kind: input.String, Data: []byte("a")}, {Kind: input.Int, Bits: 1}}},
	}
	requestR, requestW := io.Pipe()
	answerR, answerW := io.Pipe()
	done := make(chan error, 1)
	conn, release := connection(requestR, answerW)
	go func() { done <- Serve(target, conn, seg, nil) }()
	_, payload, err := wire.NewReader(answerR).Next()
	if err != nil {
		t.Fatal(err)
	}
	hello, err := wire.DecodeHello(payload)
	if err != nil || hello.Protocol != "p" || !hello.Race || hello.Counters != 77 || !slices.Equal(hello.Kinds, target.Kinds) {
		t.Errorf("Hello = %+v (%v), want the fields of %+v", hello, err, target)
	}
	if len(hello.Seeds) != 1 || !bytes.Equal(hello.Seeds[0], input.Append(nil, target.Seeds[0])) {
		t.Errorf("the seeds of Hello are %q", hello.Seeds)
	}
	if err := wire.NewWriter(requestW).Send(wire.Stop{}); err != nil {
		t.Fatal(err)
	}
	release()
	if err := <-done; err != nil {
		t.Errorf("Serve = %v", err)
	}
}

// misbehave does to T, or to its goroutine, what the input says.
func misbehave(t *testing.T, data []byte, p *process) {
	switch {
	case bytes.HasPrefix(data, []byte("fail")):
		t.Fail()
	case bytes.HasPrefix(data, []byte("now")):
		t.FailNow()
	case bytes.HasPrefix(data, []byte("skip")):
		t.SkipNow()
	case bytes.HasPrefix(data, []byte("panic")):
		panic("no way")
	case bytes.HasPrefix(data, []byte("goexit")):
		runtime.Goexit()
	case bytes.HasPrefix(data, []byte("touch")):
		t.Helper()
	}
}

func TestRunTellsHowTheTargetEnded(t *testing.T) {
	s := start(t, misbehave)
	tests := []struct {
		in     string
		failed bool
		output string
	}{
		{"pass", false, ""},
		{"fail", true, ""},
		{"now", true, ""},
		{"skip", false, ""},
		{"panic", true, "panic: no way"},
		{"goexit", true, "runtime.Goexit"},
		{"touch", false, ""},
	}
	for range 3 { // each after each: no end may spoil the next execution
		for _, tt := range tests {
			calls := s.p.calls
			got := s.run(tt.in, false)
			if got.Failed != tt.failed || !strings.Contains(got.Output, tt.output) || got.Execs != 1 || s.p.calls != calls+1 {
				t.Errorf("Run(%q) = %+v after %d calls, want failed=%v, one execution and %q", tt.in, got, s.p.calls-calls, tt.failed, tt.output)
			}
			if want := strings.Count(got.Output, "\n"); got.Logged != want {
				t.Errorf("Run(%q) tells of %d lines, want %d", tt.in, got.Logged, want)
			}
			if last := text(t, s.seg.Last()); last != tt.in {
				t.Errorf("after Run(%q) the ring has %q", tt.in, last)
			}
			if st := s.seg.Execs(); st != uint64(s.p.calls) {
				t.Errorf("the segment counts %d executions, want %d", st, s.p.calls)
			}
		}
	}
}

func TestRunTellsWhetherCountersAreHit(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		for _, b := range data {
			p.hit(int(b))
		}
	})
	for _, tt := range []struct {
		name string
		in   string
		show []cover.Feature
		lost bool
	}{
		{"all that are asked for", "abc", []cover.Feature{8 * 'a', 8 * 'c'}, false},
		{"none is asked for", "", nil, false},
		{"however often", "aaaaaaaa", []cover.Feature{8*'a' + 1}, false},
		{"one is not", "ac", []cover.Feature{8 * 'a', 8 * 'b', 8 * 'c'}, true},
		{"the last is not", "ab", []cover.Feature{8 * 'a', 8 * 'c'}, true},
	} {
		if ran := s.ask(wire.Run{Input: packed(tt.in), Show: tt.show}); ran.Lost != tt.lost {
			t.Errorf("%s: lost is %v, want %v", tt.name, ran.Lost, tt.lost)
		}
	}
}

func TestRunReportsFeaturesOnce(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		for _, c := range data {
			p.hit(64 * int(c-'a'+1))
		}
	})
	first := s.run("ab", true)
	if want := []int{0, 64, 128}; !slices.Equal(edges(first.Added), want) || first.Edges != 3 || first.Execs != 3 {
		t.Errorf("the first run added edges %v (%d new) in %d executions, want %v in 3", edges(first.Added), first.Edges, first.Execs, want)
	}
	again := s.run("ab", true)
	if len(again.Added) != 0 || len(again.Features) != 0 || again.Execs != 1 {
		t.Errorf("the second run added %v in %d executions, want nothing in 1", again.Added, again.Execs)
	}
	twice := s.run("aa", true)
	if want := []int{64}; !slices.Equal(edges(twice.Added), want) || twice.Edges != 0 {
		t.Errorf("hitting an edge twice added edges %v (%d new), want %v and no new one", edges(twice.Added), twice.Edges, want)
	}
	if silent := s.run("c", false); len(silent.Added) > 0 {
		t.Errorf("a run without trace added %v", silent.Added)
	}
	if c := s.run("c", true); !slices.Equal(edges(c.Added), []int{192}) {
		t.Errorf("after a run without trace the edges %v are new, want 192", edges(c.Added))
	}
}

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

func TestFuzzReportsEachNovelInputOnce(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if len(data) > 0 && data[0] >= 'p' {
			p.hit(1)
		}
	})
	s.seed(1, "aaaa")
	var found []wire.New
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 500}, func(r fuzzed) bool {
		found = append(found, r.found...)
		return len(found) > 0
	})
	for range 10 {
		found = append(found, s.fuzz(wire.Fuzz{ID: 1, Execs: 500}).found...)
	}
	if len(found) != 1 {
		t.Fatalf("%d inputs were reported, want 1", len(found))
	}
	if n := found[0]; text(t, n.Input)[0] < 'p' || !slices.Equal(edges(n.Added), []int{1}) || n.Edges != 1 || !slices.Equal(edges(n.Features), []int{0, 1}) {
		t.Errorf("reported %q with %+v", text(t, n.Input), n)
	}
}

func TestANewEdgeEndsTheRequest(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) { p.hit(1 + len(data)) })
	s.seed(1, "aaaa")
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: 1 << 40})
	if len(r.found) != 1 || r.found[0].Edges != 1 {
		t.Errorf("the request brought %d inputs, want 1 with a new edge", len(r.found))
	}
}

func TestANewEntryIsTrimmed(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimAll}, func(r fuzzed) bool {
		if len(r.found) == 1 && text(t, r.found[0].Input) != "X" {
			t.Errorf("the new entry is %q, want it trimmed to X", text(t, r.found[0].Input))
		}
		return len(r.found) == 1
	})
}

// What comes behind the X may be what others go on from.
func TestOfANewEntryOnlyWhatHasGrownIsTrimmed(t *testing.T) {
	const seed = "some words, some more"
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, seed)
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimGrown}, func(r fuzzed) bool {
		if len(r.found) == 0 {
			return false
		}
		first := slices.IndexFunc(s.p.inputs, func(in []byte) bool { return bytes.ContainsRune(in, 'X') })
		kept := bare(oneBuffer(seed), oneBuffer(string(s.p.inputs[first])))[0].Data
		got := []byte(text(t, r.found[0].Input))
		if n := len(got) - len(kept); n != 0 && (n != 1 || bytes.ContainsRune(kept, 'X')) {
			t.Errorf("%q was found, and became %q, want %q and an X at most", s.p.inputs[first], got, kept)
		}
		return true
	})
}

// Late inputs are run again in the next request, which is of another entry.
func TestLateInputsInheritFromTheEntryThatTheyWereMadeOf(t *testing.T) {
	w, _ := newWorker(t, func(_ *testing.T, data []byte, p *process) {
		for i, c := range []byte("XY") {
			if bytes.IndexByte(data, c) >= 0 {
				p.hit(1 + i)
			}
		}
	}, "another entry")
	var out bytes.Buffer
	w.out, w.setup.NoClock, w.setup.TrimMax = wire.NewWriter(&out), true, 256
	w.cov.Merge([]cover.Feature{0})
	w.origin, w.pending = oneBuffer("the first"), []cover.Feature{8, 16}
	w.recent = []input.Args{oneBuffer("the ..X..first"), oneBuffer("the ..Y..first")}
	answers := wire.NewReader(&out)
	for _, want := range []string{"the Xfirst", "the Yfirst", ""} { // each ends its request
		var request bytes.Buffer
		wire.NewWriter(&request).Send(wire.Fuzz{ID: 1, Execs: 300, MaxLen: 64, Trim: wire.TrimGrown})
		_, payload, err := wire.NewReader(&request).Next()
		if err == nil {
			err = w.fuzzRequest(payload)
		}
		if err != nil {
			t.Fatal(err)
		}
		for kind := wire.Type(0); kind != wire.TypeDone; {
			if kind, payload, err = answers.Next(); err != nil {
				t.Fatal(err)
			}
			if kind != wire.TypeNew {
				continue
			}
			n, err := wire.DecodeNew(payload)
			if err == nil && want != "" && text(t, n.Input) != want {
				t.Errorf("the entry is %q, want %q", text(t, n.Input), want)
			}
			want = ""
		}
		if want != "" {
			t.Error("no entry is told of")
		}
	}
	if &w.origin[0] != &w.base[0] {
		t.Error("what comes next does not inherit from the entry of the request")
	}
}

// What shows in the one execution of a candidate only may not be of the input.
func TestTheFeaturesOfATrimmedEntryAreStable(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if p.coord.Stage() == shm.Trimming {
			p.hit(70)
		}
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimAll}, func(r fuzzed) bool {
		if len(r.found) == 1 && !slices.Equal(edges(r.found[0].Features), []int{0, 1}) {
			t.Errorf("the new entry has the features %v, want those of the edges 0 and 1", r.found[0].Features)
		}
		return len(r.found) == 1
	})
}

// What an input shows in a loop is rarely worth trimming, but it must not be the reason for entries of a kilobyte.
func TestAnEntryWithoutANewEdgeIsTrimmedIfItHasOutgrownItsOrigin(t *testing.T) {
	const enough = 200
	for _, tt := range []struct {
		name, seed string
		trimmed    bool
	}{
		{"from a short seed", "a", true},
		{"from one of nearly that length", strings.Repeat("word", 48), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, func(_ *testing.T, data []byte, p *process) {
				if len(data) > enough {
					p.hit(0) // once more
				}
			})
			s.seed(1, tt.seed)
			s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, MaxLen: 1000, Trim: wire.TrimAll}, func(r fuzzed) bool {
				if len(r.found) == 0 {
					return false
				}
				first := slices.IndexFunc(s.p.inputs, func(in []byte) bool { return len(in) > enough })
				found, kept := len(s.p.inputs[first]), len(text(t, r.found[0].Input))
				if r.found[0].Edges != 0 || kept <= enough || (kept < found) != tt.trimmed {
					t.Errorf("%d bytes were found and %d are kept, with %d new edges; want %v, fewer are kept, with none",
						found, kept, r.found[0].Edges, tt.trimmed)
				}
				return true
			})
		})
	}
}

func TestTheExecutionsForTrimmingWhatHasOutgrownItsOriginAreFew(t *testing.T) {
	bytesOf := func(n int) input.Args { return input.Args{{Kind: input.Bytes, Data: make([]byte, n)}} }
	for _, tt := range []struct {
		name                        string
		size, origin                int
		trimMax, limit, spent, want int
	}{
		{"it is small", outgrownSize, 0, 1000, 0, 0, 0},
		{"it is not", outgrownSize + 1, 0, 1000, 0, 0, outgrownExecs},
		{"its origin is not either", outgrownBy * 100, 100, 1000, 0, 0, 0},
		{"it is much larger than its origin", outgrownBy*100 + 1, 100, 1000, 0, 0, outgrownExecs},
		{"there are fewer", 1000, 1, 3, 0, 0, 3},
		{"there are none", 1000, 1, 0, 0, 0, 0},
		{"fewer are left of the burst", 1000, 1, 1000, 100, 95, 5},
		{"the burst is over", 1000, 1, 1000, 100, 101, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &worker{origin: bytesOf(tt.origin), limit: uint64(tt.limit), spent: uint64(tt.spent)}
			w.setup.TrimMax = tt.trimMax
			if got := w.trimBudget(bytesOf(tt.size), nil); got != tt.want {
				t.Errorf("trimBudget = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestWithoutTrimTheEntryStaysAsItIs(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000}, func(r fuzzed) bool {
		if len(r.found) == 1 && !slices.ContainsFunc(s.p.inputs, func(in []byte) bool { return string(in) == text(t, r.found[0].Input) }) {
			t.Errorf("the new entry %q was never executed", text(t, r.found[0].Input))
		}
		return len(r.found) == 1
	})
}

func TestAFailureWhileTrimmingIsReportedAsSuch(t *testing.T) {
	s := start(t, func(t *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
			if len(data) < 5 {
				t.FailNow()
			}
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimAll}, func(r fuzzed) bool {
		if len(r.found) == 0 {
			return false
		}
		if in := text(t, r.found[0].Input); len(in) < 5 || !strings.Contains(in, "X") {
			t.Errorf("the new entry is %q, want one that passes and has an X", in)
		}
		if len(r.failed) != 1 || !r.failed[0].Trimming || !bytes.Equal(s.p.inputs[len(s.p.inputs)-1], []byte(text(t, r.failed[0].Input))) {
			t.Errorf("the failure is %+v, want the last input, found while trimming", r.failed)
		}
		return true
	})
}

func TestFailuresOfAllKindsEndTheRequest(t *testing.T) {
	for _, how := range []string{"fail", "now", "panic", "goexit"} {
		t.Run(how, func(t *testing.T) {
			s := start(t, func(t *testing.T, data []byte, p *process) {
				if len(data) > 8 {
					clear(data[copy(data, "it is overwritten"):])
					misbehave(t, []byte(how), p)
				}
			})
			s.seed(1, "12345678")
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100000})
			if len(r.failed) != 1 || r.failed[0].Trimming {
				t.Fatalf("the request brought the failures %+v, want one", r.failed)
			}
			if got, want := text(t, r.failed[0].Input), string(s.p.inputs[len(s.p.inputs)-1]); got != want {
				t.Errorf("the failing input is %q, want %q as it was before the target changed it", got, want)
			}
			if r.done.Execs != uint64(s.p.calls-3) { // the seed took three
				t.Errorf("%d executions were reported, %d made", r.done.Execs, s.p.calls-3)
			}
			if again := s.run(text(t, r.failed[0].Input), false); !again.Failed {
				t.Error("the failing input passes when it is run again")
			}
		})
	}
}

// A target that changes its argument must spoil neither the entry nor what is reported.
func TestChangedArgumentsDoNotShow(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if len(data) > 0 && data[0] == 'b' {
			p.hit(1)
		}
		for i := range data {
			data[i] = '!'
		}
	})
	s.seed(1, "aaaaaaaaaaaaaaaa")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000}, func(r fuzzed) bool {
		if len(r.found) == 1 && text(t, r.found[0].Input)[0] != 'b' {
			t.Errorf("the new entry is %q", text(t, r.found[0].Input))
		}
		return len(r.found) == 1
	})
	before := len(s.p.inputs)
	s.fuzz(wire.Fuzz{ID: 1, Execs: 1000})
	from := slices.ContainsFunc(s.p.inputs[before:], func(in []byte) bool { return bytes.Contains(in, []byte("aaaaa")) })
	if !from {
		t.Error("mutants do not come from the entry any more")
	}
}

// A T that is touched is not used again; skipping, cleanups and the like are no failures.
func TestATargetThatTouchesTEachTime(t *testing.T) {
	for _, how := range []string{"touch", "skip"} {
		t.Run(how, func(t *testing.T) {
			ts := map[*testing.T]bool{}
			s := start(t, func(t *testing.T, data []byte, p *process) {
				ts[t] = true
				misbehave(t, []byte(how), p)
			})
			s.seed(1, "seed")
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 300})
			if r.done.Execs != 300 || len(r.failed) != 0 {
				t.Errorf("the request made %d executions and %d failures, want 300 and none", r.done.Execs, len(r.failed))
			}
			if len(ts) != s.p.calls {
				t.Errorf("%d calls saw %d different Ts", s.p.calls, len(ts))
			}
		})
	}
}

func TestAnUntouchedTIsUsedAgain(t *testing.T) {
	ts := map[*testing.T]bool{}
	s := start(t, func(t *testing.T, _ []byte, _ *process) { ts[t] = true })
	s.seed(1, "seed")
	for range 5 {
		s.fuzz(wire.Fuzz{ID: 1, Execs: 300})
	}
	if len(ts) != 1 {
		t.Errorf("%d Ts were made, want 1", len(ts))
	}
}

// Counters on lines that were never hit are looked at rarely. What shows there is found nevertheless, for the right
// input, however short the requests are and whatever the target does to T.
func TestWhatShowsLateIsAttributedToItsInput(t *testing.T) {
	for _, touch := range []bool{false, true} {
		for _, execs := range []uint64{5, 20, 1000} {
			t.Run(fmt.Sprintf("touch=%v/execs=%d", touch, execs), func(t *testing.T) {
				hits := 0
				s := start(t, func(t *testing.T, data []byte, p *process) {
					if touch {
						t.Helper()
					}
					if len(data) > 2 && data[1] >= 0x80 {
						hits++
						p.hit(3000)
					}
				})
				s.seed(1, "aaaaaaaaaaaa")
				s.fuzzUntil(wire.Fuzz{ID: 1, Execs: execs}, func(r fuzzed) bool {
					for _, n := range r.found {
						if in := text(t, n.Input); len(in) < 3 || in[1] < 0x80 || !slices.Equal(edges(n.Added), []int{3000}) {
							t.Errorf("edge 3000 is attributed to %q with %v", in, edges(n.Added))
						}
					}
					return len(r.found) > 0
				})
				// A chain of mutants in the first 32 executions, again in attribution, and the calibration.
				if hits > 2*maxChain+4 {
					t.Errorf("it took %d hits to find the edge", hits)
				}
			})
		}
	}
}

// Each edge on a cold line is shown by one input only. None is lost, whatever ends the bursts and the requests behind it, and
// none is reported with another input.
func TestWhatShowsLateIsNotLost(t *testing.T) {
	const first, last = 64, numCounters - 64 // one edge on each line but the hot one
	tests := []struct {
		name    string
		request wire.Fuzz
		novel   int // one in so many executions shows something new on a hot line; 0: none
	}{
		{"while nothing else is new", wire.Fuzz{Execs: 1000}, 0},
		{"while others are new", wire.Fuzz{Execs: 1000}, 20},
		{"when requests end early", wire.Fuzz{Execs: 64}, 0},
		{"when requests end early and others are new", wire.Fuzz{Execs: 64}, 10},
		{"when requests begin with a study", wire.Fuzz{Execs: 100, Study: true}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			of := map[string]int{} // edges of inputs
			cold, hot := first, 0
			s := start(t, func(_ *testing.T, data []byte, p *process) {
				e := of[string(data)]
				switch {
				case e > 0 || len(data) < 4:
				case p.calls%40 == 0 && cold <= last:
					e, cold = cold, cold+64
				case tt.novel > 0 && p.calls%tt.novel == 0 && hot < 62:
					hot++
					e = hot
				}
				if of[string(data)] = e; e > 0 {
					p.hit(e)
				}
			})
			s.seed(1, "some words and others")
			tt.request.ID = 1
			reported := map[int]bool{}
			for again := 2; again > 0; {
				for _, n := range s.fuzz(tt.request).found {
					for _, e := range edges(n.Added) {
						if reported[e] = true; of[text(t, n.Input)] != e {
							t.Errorf("edge %d is reported with an input that does not show it", e)
						}
					}
				}
				if cold > last {
					again--
				}
			}
			for e := first; e <= last; e += 64 {
				if !reported[e] {
					t.Errorf("edge %d is not reported", e)
				}
			}
		})
	}
}

func TestLimitsAreExact(t *testing.T) {
	targets := map[string]pretend{
		"nothing new": func(*testing.T, []byte, *process) {},
		"touches T":   func(t *testing.T, _ []byte, _ *process) { t.Helper() },
		"new buckets": func(_ *testing.T, data []byte, p *process) {
			for range data {
				p.hit(1)
			}
		},
		"flaky": func(_ *testing.T, _ []byte, p *process) {
			if p.calls%3 == 0 {
				p.hit(1 + p.calls/3%4000)
			}
		},
		"new edges, trimmed": func(_ *testing.T, data []byte, p *process) {
			for _, c := range data {
				p.hit(1 + int(c))
			}
		},
	}
	for name, target := range targets {
		t.Run(name, func(t *testing.T) {
			s := start(t, target)
			s.seed(1, "a seed of some bytes")
			for execs := uint64(1); execs < 120; execs++ {
				before := s.p.calls
				r := s.fuzz(wire.Fuzz{ID: 1, Execs: execs, MaxLen: 40, Trim: wire.TrimAll})
				made := uint64(s.p.calls - before)
				if r.done.Execs != made || made > execs {
					t.Fatalf("granted %d executions: reported %d, made %d", execs, r.done.Execs, made)
				}
				newEdge := slices.ContainsFunc(r.found, func(n wire.New) bool { return n.Edges > 0 })
				if made < execs && !newEdge {
					t.Fatalf("granted %d executions: made %d although nothing ended the request", execs, made)
				}
			}
		})
	}
}

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

func TestOnlyKnownEntriesAreFuzzed(t *testing.T) {
	s := start(t, func(*testing.T, []byte, *process) {})
	s.seed(1, "one")
	s.send(wire.Entry{ID: 2, Input: packed("two")})
	s.send(wire.Entry{ID: 2, Input: packed("two again")})
	for id, want := range map[uint64]uint64{1: 50, 2: 50, 99: 0} {
		if r := s.fuzz(wire.Fuzz{ID: id, Execs: 50}); r.done.Execs != want {
			t.Errorf("fuzzing entry %d made %d executions, want %d", id, r.done.Execs, want)
		}
	}
}

func TestTheChecksumsOfAnEntryAreLookedForOnce(t *testing.T) {
	const xored, other = "abcd\x04", "abcde"
	w, _ := newWorker(t, func(*testing.T, []byte, *process) {}, xored)
	found := w.sumsOf(1)
	if found == (mutate.Sums{}) {
		t.Fatal("the checksum is not found")
	}
	w.base[0].Data[0] = 'x' // nothing else changes an entry, so that this goes unseen
	if w.sumsOf(1) != found {
		t.Error("the entry is looked at again")
	}
	for _, in := range []string{other, xored} {
		var stream bytes.Buffer
		if err := wire.NewWriter(&stream).Send(wire.Entry{ID: 1, Input: packed(in)}); err != nil {
			t.Fatal(err)
		}
		_, payload, err := wire.NewReader(&stream).Next()
		if err == nil {
			err = w.remember(payload)
		}
		if err != nil {
			t.Fatal(err)
		}
		if sums := w.sumsOf(1); (sums == found) != (in == xored) {
			t.Errorf("with the new contents %q, the checksums are %+v", in, sums)
		}
	}
}

func TestWordsTurnUpInMutants(t *testing.T) {
	s := start(t, func(*testing.T, []byte, *process) {})
	s.seed(1, "one two three")
	s.send(wire.Words{List: [][]byte{[]byte("BEGIN_WORK"), []byte("COMMIT_WORK")}})
	s.fuzz(wire.Fuzz{ID: 1, Execs: 5000})
	for _, word := range []string{"BEGIN_WORK", "COMMIT_WORK"} {
		if n := bytes.Count(bytes.Join(s.p.inputs, nil), []byte(word)); n < 10 {
			t.Errorf("%s turns up %d times in %d mutants", word, n, len(s.p.inputs))
		}
	}
}

// With -failfast, package testing does not run anything any more once a T has failed.
func TestARunFuncThatCallsNothing(t *testing.T) {
	failedOnce := false
	s := startWith(t, misbehave, func(loop func(*testing.T, func(func(func()) bool) bool)) (bool, string, int) {
		if failedOnce {
			return true, "", 0
		}
		ok, output, logged := imitateTesting(loop)
		failedOnce = !ok
		return ok, output, logged
	})
	s.seed(1, "pass")
	if !s.run("fail", false).Failed {
		t.Error("the first failure is not reported")
	}
	if s.run("fail", false).Failed {
		t.Error("an input that was not executed is reported as failing")
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100}); r.done.Execs != 0 {
		t.Errorf("%d executions are reported, none can have been made", r.done.Execs)
	}
}

func TestTheStageIsKnown(t *testing.T) {
	var stages []shm.Stage
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if st := p.coord.Stage(); !slices.Contains(stages, st) {
			stages = append(stages, st)
		}
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, "some words and more")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimAll}, func(r fuzzed) bool { return len(r.found) > 0 })
	if want := []shm.Stage{shm.Running, shm.Fuzzing, shm.Trimming}; !slices.Equal(stages, want) {
		t.Errorf("the target saw the stages %v, want %v", stages, want)
	}
}

func TestBadRequestsEndServe(t *testing.T) {
	for _, m := range []wire.Message{
		wire.Entry{ID: 1, Input: []byte("not packed")},
		wire.Run{Input: append(packed("x"), 0)},
		wire.Ran{},
	} {
		s := start(t, misbehave)
		s.send(m)
		if err := <-s.done; err == nil {
			t.Errorf("Serve = nil after the bad request %+v", m)
		}
		s.done <- nil                      // for stop
		s.out = wire.NewWriter(io.Discard) // nobody reads any more
	}
}

func TestTheEndOfTheStreamEndsServe(t *testing.T) {
	for _, tt := range []struct{ stream, want string }{
		{"", "<nil>"},
		{"!", "read from the coordinator: invalid character '!' looking for beginning of value"},
		{"\x82\x01", "read from the coordinator: unexpected EOF"},
	} {
		_, seg := segments(t)
		conn, _ := connection(strings.NewReader(tt.stream), io.Discard)
		if err := Serve(Target{Kinds: oneBytes, Run: imitateTesting}, conn, seg, nil); fmt.Sprint(err) != tt.want {
			t.Errorf("Serve = %v for a stream of %q, want %s", err, tt.stream, tt.want)
		}
	}
}

// serveOrphan is the process of TestAWorkerDoesNotOutliveItsCoordinator. Its target runs until it is preempted, and
// then hangs.
func serveOrphan(dir string) {
	file, err := os.Create(filepath.Join(dir, "segment"))
	if err != nil {
		panic(err)
	}
	seg, err := shm.Create(file)
	if err != nil {
		panic(err)
	}
	var requests bytes.Buffer
	for _, m := range []wire.Message{wire.Setup{}, wire.Run{Input: packed("")}} {
		if err := wire.NewWriter(&requests).Send(m); err != nil {
			panic(err)
		}
	}
	target := Target{Kinds: oneBytes, Run: imitateTesting, Call: func(*testing.T, input.Args) {
		for !seg.Preempted() {
			runtime.Gosched()
		}
		fmt.Println("preempted")
		select {}
	}}
	err = Serve(target, Connection{&requests, io.Discard, strings.NewReader("")}, seg, nil)
	panic(fmt.Sprintf("Serve returned: %v", err))
}

func TestAWorkerDoesNotOutliveItsCoordinator(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", orphanEnv+"="+dir)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != exitLostPipes || string(out) != "preempted\n" {
		t.Errorf("an orphan printed %q and ended by %v, want it preempted and exit code %d", out, err, exitLostPipes)
	}
	file, err := os.OpenFile(filepath.Join(dir, "segment"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seg, err := shm.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	if seg.Cause() != shm.Lost {
		t.Errorf("the orphan left the cause %v", seg.Cause())
	}
}

// newWorker returns a worker without a coordinator, ready for bursts on one entry.
func newWorker(t testing.TB, f pretend, entry string) (*worker, *process) {
	t.Helper()
	coord, seg := segments(t)
	p := &process{counters: make([]byte, numCounters), coord: coord, silent: true}
	target := p.target(f, imitateTesting)
	w := &worker{
		target: target, seg: seg, cov: cover.New(target.Counters, nil), exec: newExecutor(target.Run, func() {}, nil),
		out: wire.NewWriter(io.Discard), entries: map[uint64]int{}, strikes: map[cover.Feature]int{},
		scratch: input.Zero(oneBytes), havoc: mutate.Material{Rand: mutate.NewRand(1)},
	}
	w.base = input.Args{{Kind: input.Bytes, Data: []byte(entry)}}
	w.entries[1], w.havoc.Pool = 0, []input.Args{w.base}
	w.reserve(256)
	go w.exec.wait()
	t.Cleanup(w.exec.close)
	return w, p
}

func TestFlakyFeaturesAreStruckAfterThreeTimes(t *testing.T) {
	// Edge 1 shows in every third call and never twice in a row.
	w, p := newWorker(t, func(_ *testing.T, _ []byte, p *process) {
		if p.calls%3 == 0 {
			p.hit(1)
		}
	}, "seed")
	w.cov.Merge([]cover.Feature{0})
	for w.limit = 3000; w.spent < w.limit; {
		if _, err := w.fuzzOnce(wire.Fuzz{}); err != nil {
			t.Fatal(err)
		}
	}
	flaky := cover.Feature(8)
	if w.strikes[flaky] != maxStrikes {
		t.Errorf("the flaky feature has %d strikes, want %d", w.strikes[flaky], maxStrikes)
	}
	if w.cov.Known(flaky) {
		t.Error("the flaky feature was merged")
	}
	if p.calls != 3000 {
		t.Errorf("%d calls, want 3000", p.calls)
	}
}

// What failed is too large for the ring, which still has the one before.
func TestAnInputThatIsTooLargeToBeRecordedIsNotTheOneBefore(t *testing.T) {
	w, _ := newWorker(t, func(*testing.T, []byte, *process) {}, "")
	large := make([]byte, ringLimit)
	for _, data := range [][]byte{[]byte("small"), large, []byte("another")} {
		w.args = input.Args{{Kind: input.Bytes, Data: data}}
		w.record()
		if got := w.lastInput()[0].Data; !bytes.Equal(got, data) {
			t.Errorf("the last input is %.20q of %d bytes, want %.20q of %d", got, len(got), data, len(data))
		}
	}
	if n := w.seg.Execs(); n != 3 {
		t.Errorf("%d executions are counted, want 3", n)
	}
}

// all returns the features from low on, below high.
func all(low, high cover.Feature) (features []cover.Feature) {
	for f := low; f < high; f++ {
		features = append(features, f)
	}
	return features
}

func TestTheHotLoopDoesNotAllocate(t *testing.T) {
	w, p := newWorker(t, func(_ *testing.T, data []byte, p *process) {
		for _, c := range data {
			p.hit(64 + int(c)%8)
		}
	}, "a seed of some bytes, and numbers 12345")
	w.limit = 200
	never := func() bool { return false }
	// All buckets are known, so that nothing new ends the burst.
	w.cov.Merge(all(0, 1024))
	if n := testing.AllocsPerRun(50, func() {
		w.spent = 0
		if !w.burst(nil, never) || w.end != endBudget || w.spent != 200 {
			t.Fatalf("the burst ended by %d after %d executions", w.end, w.spent)
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
	w, p := newWorker(t, func(_ *testing.T, data []byte, _ *process) { size += len(data) }, strings.Repeat("a seed of some bytes", 50))
	w.cov.Merge(all(0, 1024))
	const limit = 50_000
	w.allow(1000, limit)
	if !w.burst(nil, func() bool { return false }) || w.end != endBudget || p.calls < 10 || p.calls > 100 {
		t.Errorf("the burst ended by %d after %d executions, of %d bytes; want no more than %d bytes", w.end, p.calls, size, limit)
	}
}

func BenchmarkBurst(b *testing.B) {
	w, _ := newWorker(b, func(*testing.T, []byte, *process) {}, "a seed of some bytes, and numbers 12345")
	w.cov.Merge([]cover.Feature{0, 1, 2, 3, 4, 5, 6, 7})
	b.ReportAllocs()
	w.limit = uint64(b.N)
	b.ResetTimer()
	if w.burst(nil, func() bool { return false }); w.end != endBudget {
		b.Fatalf("the burst ended by %d", w.end)
	}
}

func TestIntersectAndContains(t *testing.T) {
	tests := []struct{ name, a, b, both string }{
		{"equal", "bdf", "bdf", "bdf"},
		{"nothing in common", "bd", "ace", ""},
		{"some", "abcd", "bdz", "bd"},
		{"first empty", "", "a", ""},
		{"second empty", "a", "", ""},
	}
	list := func(s string) (fs []cover.Feature) {
		for _, c := range s {
			fs = append(fs, cover.Feature(c))
		}
		return fs
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			both := intersect(list(tt.a), list(tt.b))
			if !slices.Equal(both, list(tt.both)) {
				t.Errorf("intersect(%s, %s) = %v, want %s", tt.a, tt.b, both, tt.both)
			}
			if !contains(list(tt.a), both) || !contains(list(tt.b), both) {
				t.Errorf("%s or %s does not contain what they have in common", tt.a, tt.b)
			}
			if got := contains(list(tt.b), list(tt.a)); got != (tt.both == tt.a) {
				t.Errorf("contains(%s, %s) = %v", tt.b, tt.a, got)
			}
		})
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

package minimize

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

func TestMaxChecksIsExact(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 10, 57} {
		calls := 0
		_, stats := minimize(t, input.Args{{Kind: input.Bytes, Data: random(500)}}, func(c input.Args) bool {
			calls++
			return bytes.Contains(c[0].Data, random(500)[200:220])
		}, Options{MaxChecks: limit})
		if calls != limit || stats.Checks != limit || !stats.Stopped {
			t.Errorf("MaxChecks=%d: %d calls, %d counted, stopped=%v", limit, calls, stats.Checks, stats.Stopped)
		}
	}
}

func TestDeadlineStopsBeforeTheNextCheck(t *testing.T) {
	for _, limit := range []int{0, 1, 5} {
		calls, polls := 0, 0
		_, stats := minimize(t, input.Args{{Kind: input.Bytes, Data: random(500)}}, func(input.Args) bool {
			calls++
			return false
		}, Options{Deadline: func() bool { polls++; return calls >= limit }})
		if calls != limit || polls != limit+1 || !stats.Stopped {
			t.Errorf("deadline after %d: %d calls, %d polls, stopped=%v", limit, calls, polls, stats.Stopped)
		}
	}
}

func TestRemoveOnlyLeavesWhatItKeeps(t *testing.T) {
	in := "key: (some (VALUE) 99), other\n"
	best, _ := minimize(t, args(t, in, 1234, 1.5), func(c input.Args) bool {
		return bytes.Contains(c[0].Data, []byte("V")) && len(c[0].Data) >= 7 && subsequence([]byte(in), string(c[0].Data))
	}, Options{RemoveOnly: true})
	if d := best[0].Data; len(d) != 7 || best[1].Bits != 1234 || best[2].Bits != math.Float64bits(1.5) {
		t.Errorf("Minimize(%q, 1234, 1.5) = %v, want 7 bytes and the numbers as they are", in, best.Values())
	}
	everything := func(c input.Args) bool {
		if !subsequence([]byte(in), string(c[0].Data)) {
			t.Errorf("candidate %q has bytes that were not there", c[0].Data)
		}
		return len(c[0].Data)%3 == 0 && len(c[0].Data) > 0
	}
	if best, _ := minimize(t, args(t, in), everything, Options{RemoveOnly: true}); len(best[0].Data) != 3 {
		t.Errorf("Minimize(%q) = %q, want 3 bytes", in, best[0].Data)
	}
}

func TestStatsAddUp(t *testing.T) {
	_, stats := minimize(t, args(t, string(text(500)), 99), func(c input.Args) bool {
		return bytes.Contains(c[0].Data, []byte("skip(n")) && c[1].Bits > 7
	}, Options{})
	tries, hits := 0, 0
	for i, p := range stats.Passes {
		if p.Name != passes[i].name {
			t.Errorf("pass %d is %q, want %q", i, p.Name, passes[i].name)
		}
		tries, hits = tries+p.Tries, hits+p.Hits
	}
	if tries != stats.Checks || hits != stats.Hits || stats.Stopped || stats.Rounds < 2 || stats.Repeats == 0 {
		t.Errorf("passes sum up to %d tries and %d hits: %+v", tries, hits, stats)
	}
}

func TestTheMemoryOfCandidatesIsBounded(t *testing.T) {
	s := newSearch(args(t, 0), Options{})
	s.half = 100
	for i := range 10 * s.half {
		if a := args(t, i+1); !s.isNew(a) || s.isNew(a) {
			t.Fatalf("candidate %d: want it to be new once", i+1)
		}
	}
	if n := len(s.seen[0]) + len(s.seen[1]); n > 2*s.half {
		t.Errorf("%d candidates are remembered, want at most %d", n, 2*s.half)
	}
}

// A check that rejects all must not cost more than a constant number of checks per byte.
func TestHopelessInputsCostLinearly(t *testing.T) {
	for _, n := range []int{100, 1000, 4000} {
		_, stats := Minimize(input.Args{{Kind: input.Bytes, Data: random(n)}}, Options{Check: func(input.Args) bool { return false }})
		if limit := 15*n + 500; stats.Checks > limit {
			t.Errorf("%d bytes: %d checks, want at most %d: %+v", n, stats.Checks, limit, stats)
		}
	}
}

// FuzzMinimize checks the laws with checks that depend on the candidate in ways no pass was made for.
func FuzzMinimize(f *testing.F) {
	f.Add([]byte("(some {text} 123)\nline é"), uint64(99), uint64(3), 0)
	f.Add([]byte("\x00\xff"), uint64(1<<63), uint64(1), 5)
	f.Add([]byte("\x05\x04abcd\x03abc"), uint64(3), uint64(2), 0)
	f.Add([]byte("12:9:\x85\x01abcdef,\x02\x00ab"), uint64(3), uint64(4), 0)
	f.Fuzz(func(t *testing.T, data []byte, bits, salt uint64, maxChecks int) {
		data = data[:min(len(data), 200)]
		a := args(t, data, string(data), int32(bits), math.Float64frombits(bits), float32(bits), uint8(bits), int64(bits), bits&1 != 0)
		a = a[:1+salt%uint64(len(a))]
		holds := func(c input.Args) bool { // a third of all candidates
			h := salt
			for _, b := range input.Append(nil, c) {
				h = (h ^ uint64(b)) * 0x100000001b3
			}
			return h>>32%3 == 0
		}
		if maxChecks <= 0 || maxChecks > 5000 {
			maxChecks = 5000
		}
		if _, stats := minimize(t, a, holds, Options{MaxChecks: maxChecks, FixLengths: salt%2 == 0}); stats.Checks > maxChecks {
			t.Errorf("%d checks, limit is %d", stats.Checks, maxChecks)
		}
	})
}

func BenchmarkMinimize(b *testing.B) {
	for _, r := range exactRows[:4] {
		b.Run(fmt.Sprintf("%s/len=%d", strings.ReplaceAll(r.name, " ", "-"), len(r.in)), func(b *testing.B) {
			a := input.Args{{Kind: input.Bytes, Data: r.in}}
			checks := 0
			for b.Loop() {
				_, stats := Minimize(a, Options{Check: func(c input.Args) bool { return r.check(c[0].Data) }})
				checks = stats.Checks
			}
			b.ReportMetric(float64(checks), "checks")
		})
	}
}

//go:build unix

package worker

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

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
	for range 3 { // each after each: no end may change the next execution
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

func TestRunReportsAllFeaturesIfItIsAsked(t *testing.T) {
	s := start(t, func(t *testing.T, data []byte, p *process) {
		for _, c := range data {
			p.hit(64 * int(c-'a'+1))
		}
		if len(data) > 3 {
			t.Fatal("too long")
		}
	})
	for range 2 { // nothing is merged
		ran := s.ask(wire.Run{Input: packed("ab"), All: true})
		if want := []int{0, 64, 128}; !slices.Equal(edges(ran.Features), want) || len(ran.Added) > 0 || ran.Execs != 1 {
			t.Errorf("a run shows the edges %v and adds %v in %d executions, want %v, nothing and 1", edges(ran.Features), ran.Added, ran.Execs, want)
		}
	}
	if ran := s.ask(wire.Run{Input: packed("abcd"), All: true}); !ran.Failed || len(ran.Features) > 0 {
		t.Errorf("a run that fails shows %v", ran.Features)
	}
	if ran := s.run("ab", true); len(ran.Added) != 3 {
		t.Errorf("a run that merges adds %v", ran.Added)
	}
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
				s.wantGranted(wire.Fuzz{ID: 1, Execs: execs, MaxLen: 40, Trim: wire.TrimAll})
			}
		})
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

func TestPoolsKeepTheirValuesWhereNoClockCounts(t *testing.T) {
	pooled := false
	s := start(t, func(*testing.T, []byte, *process) { pooled = hook.Pooled })
	for _, noClock := range []bool{true, false} {
		s.send(wire.Setup{Seed: 1, TrimMax: 256, NoClock: noClock})
		if s.run("input", false); pooled != noClock {
			t.Errorf("where no clock counts (%v), pools keep their values: %v", noClock, pooled)
		}
	}
}

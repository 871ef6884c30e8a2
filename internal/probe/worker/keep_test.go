//go:build unix

package worker

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

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
	if n := found[0]; text(t, n.Input)[0] < 'p' || !slices.Equal(edges(n.Added), []int{1}) || n.Edges != 1 || !slices.Equal(edges(n.Features), []int{0, 1}) || n.Maker != technique.ByMutation {
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

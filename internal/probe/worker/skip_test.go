//go:build unix

package worker

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// A target that skips what it does not care for has gone a part of the way with it.
func TestWhatASkippedExecutionShowsIsFound(t *testing.T) {
	for _, often := range []int{1, 2, 10} {
		for _, edge := range []int{1, 3000} {
			t.Run(fmt.Sprintf("one in %d skips, edge %d", often, edge), func(t *testing.T) {
				hits := 0
				s := start(t, func(t *testing.T, data []byte, p *process) {
					if len(data) > 2 && data[1] >= 0x80 {
						hits++
						p.hit(edge)
						t.SkipNow()
					}
					if len(data)%often == 0 {
						t.SkipNow()
					}
				})
				s.seed(1, "aaaaaaaaaaaa")
				s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000}, func(r fuzzed) bool {
					for _, n := range r.found {
						if in := text(t, n.Input); len(in) < 3 || in[1] < 0x80 || !slices.Equal(edges(n.Added), []int{edge}) {
							t.Errorf("%q is reported for the edges %v", in, edges(n.Added))
						}
					}
					return len(r.found) > 0
				})
				if hits > 2*maxChain+4 { // as for inputs that pass
					t.Errorf("it took %d hits to find the edge", hits)
				}
			})
		}
	}
}

// What shows on a cold line before an execution that skips is looked at with it.
func TestASkippedExecutionDoesNotHideThoseBeforeIt(t *testing.T) {
	hits := 0
	s := start(t, func(t *testing.T, data []byte, p *process) {
		if len(data) > 2 && data[1] >= 0x80 {
			hits++
			p.hit(3000)
			return
		}
		if p.calls%3 == 0 {
			t.SkipNow()
		}
	})
	s.seed(1, "aaaaaaaaaaaa")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000}, func(r fuzzed) bool { return len(r.found) > 0 })
	if hits > 2*maxChain+4 {
		t.Errorf("it took %d hits to find the edge", hits)
	}
}

func TestAVariantThatSkipsIsKeptIfItIsNew(t *testing.T) {
	s := without(t, 0, func(t *testing.T, data []byte, p *process) {
		if len(data) == 4 && data[0] == 'a' && data[3] != 'd' {
			p.hit(1)
			t.SkipNow()
		}
	})
	s.seed(1, "abcd")
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: 250, Study: true, Solve: true})
	if len(r.found) == 0 || r.done.Execs > 100 || !slices.Equal(edges(r.found[0].Added), []int{1}) {
		t.Errorf("the request brought %+v, want edge 1 within the study", r)
	}
}

func TestAFailureThatShowsSomethingNewIsReportedOnce(t *testing.T) {
	for _, how := range []string{"now", "panic", "goexit"} {
		t.Run(how, func(t *testing.T) {
			s := start(t, func(t *testing.T, data []byte, p *process) {
				if len(data) > 8 {
					p.hit(1)
					p.hit(3000)
					misbehave(t, []byte(how), p)
				}
			})
			s.send(wire.Setup{Seed: 1, Without: technique.Calibrate})
			s.seed(1, "12345678")
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100000})
			made := slices.IndexFunc(s.p.inputs, func(in []byte) bool { return len(in) > 8 }) + 1
			if len(r.failed) != 1 || len(r.found) > 0 || s.p.calls != made {
				t.Errorf("the request made %d calls and brought %+v, want one failure in call %d", s.p.calls, r, made)
			}
		})
	}
}

func TestASkippedExecutionCanBeASample(t *testing.T) {
	s := start(t, func(t *testing.T, _ []byte, p *process) {
		p.hit(10)
		t.SkipNow()
	})
	s.seed(1, "a long entry, half of which could be left out")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000, Holds: []cover.Feature{80}}, func(r fuzzed) bool {
		return len(r.found) > 0 && r.found[0].Replaces == 1
	})
}

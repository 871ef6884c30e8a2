//go:build unix

package worker

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// setUp compares more than a log has room for, whatever the input is: with nothing that inputs contain.
func setUp() {
	const high = 0xa1b2c3d4e5 << 24
	for i := range uint64(5000) {
		compare.Cmp8(high+i, high+2*i+1, 1000+uint(i))
	}
}

func TestSolveLooksBehindWhatTheTargetSetsUp(t *testing.T) {
	for _, tt := range []struct {
		name    string
		without technique.Set
		want    bool
	}{{"with the technique", 0, true}, {"without", technique.Setup, false}} {
		t.Run(tt.name, func(t *testing.T) {
			s := without(t, tt.without, func(_ *testing.T, data []byte, p *process) {
				setUp()
				if isMagic(data, 5, 0xfeedface, 1) {
					p.hit(1)
				}
			})
			s.seed(1, "what is here?")
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true})
			if found := len(r.found) > 0; found != tt.want || r.done.Execs > 200 {
				t.Errorf("the magic number was found: %v, want %v, after %d executions", found, tt.want, r.done.Execs)
			}
		})
	}
}

// A log that is full makes a request execute inputs beside the entry, once.
func TestAFailureOfAnUnrelatedInputEndsTheRequest(t *testing.T) {
	s := start(t, func(t *testing.T, _ []byte, p *process) {
		setUp()
		if p.calls == 6 {
			t.FailNow()
		}
	})
	s.seed(1, "what is here?")
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true}); len(r.failed) != 1 || r.done.Execs != 3 || r.done.Solved {
		t.Fatalf("the request brought %+v, want the failure of an unrelated input", r)
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true}); len(r.failed) > 0 || r.done.Execs != 200 {
		t.Errorf("the next request brought %+v", r)
	}
}

// The log that is left then is that of an unrelated input.
func TestARequestThatEndsWithAnUnrelatedInputHasSolvedNothing(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		setUp()
		if isMagic(data, 5, 0xfeedface, 1) {
			p.hit(1)
		}
	})
	s.seed(1, "what is here?")
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 8, Study: true, Solve: true}); r.done.Execs != 8 || r.done.Solved {
		t.Fatalf("the request ended with %+v, want 8 executions and nothing solved", r.done)
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true}); len(r.found) == 0 {
		t.Errorf("the next request brought %+v, want the magic number", r)
	}
}

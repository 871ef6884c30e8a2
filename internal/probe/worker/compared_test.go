//go:build unix

package worker

import (
	"runtime"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// compare has the worker execute one input with its comparisons recorded.
func (s *session) compare(data string) wire.Compared {
	s.t.Helper()
	s.send(wire.Compare{Input: packed(data)})
	kind, payload := s.next()
	c, err := wire.DecodeCompared(payload)
	if kind != wire.TypeCompared || err != nil {
		s.t.Fatalf("the answer to Compare is %#x (%v)", kind, err)
	}
	return c
}

// compares makes a comparison as code of the program does, and one as a function of the standard library does.
//
//go:noinline
func compares(b []byte) {
	pc, _, _, _ := runtime.Caller(0)
	compare.Cmp4(99, uint32(len(b)), uint(pc))
	if hook.Recording {
		hook.NeedleBytes(b, []byte("needle"))
	}
}

func TestComparisonsOfAnInputHavePlaces(t *testing.T) {
	before := hook.Listener
	t.Cleanup(func() { hook.Listener = before })
	s := start(t, func(_ *testing.T, b []byte, _ *process) { compares(b) })
	first := s.compare("text")
	if len(first.Sites) != 2 || len(first.List) != 2 {
		t.Fatalf("the answer is %+v, want 2 comparisons at 2 sites", first)
	}
	for i, stack := range []bool{false, true} {
		site := first.Sites[i]
		found := false
		for _, f := range site.Frames {
			found = found || strings.HasSuffix(f.Function, "worker.compares") && strings.HasSuffix(f.File, "compared_test.go") && f.Line > 0
		}
		if site.Stack != stack || !found || site.ID != first.List[i].Site {
			t.Errorf("site %d is %+v with Stack %v, want the function that compares and Stack %v", i, site, site.Stack, stack)
		}
	}
	if c := first.List[0]; c.Op != compare.Int || c.Width != 4 || c.A != 99 || c.B != 4 {
		t.Errorf("the comparison of the program is %+v, want 99 and the length 4", c)
	}
	if c := first.List[1]; c.Op != compare.Needle || string(c.SA) != "text" || string(c.SB) != "needle" {
		t.Errorf(`the comparison of the library is %+v, want "text" and "needle"`, c)
	}

	second := s.compare("other")
	if len(second.Sites) != 0 {
		t.Errorf("the second answer repeats the sites %+v", second.Sites)
	}
	if len(second.List) != 2 || second.List[0].B != 5 || string(second.List[1].SA) != "other" {
		t.Fatalf("the second answer is %+v, want the comparisons of the second input alone", second)
	}
	for i := range second.List {
		if second.List[i].Site != first.List[i].Site {
			t.Errorf("comparison %d has another site for the second input", i)
		}
	}
}

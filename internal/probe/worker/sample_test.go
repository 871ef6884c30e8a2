//go:build unix

package worker

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestASmallerMutantTakesThePlaceOfItsEntry(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.Contains(data, []byte("key")) {
			p.hit(10)
		}
	})
	const entry = "a long entry with a key in it and more behind"
	s.seed(1, entry)
	holds := []cover.Feature{80}
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000, Holds: holds}, func(r fuzzed) bool {
		for _, n := range r.found {
			in := text(t, n.Input)
			if n.Replaces != 1 || len(n.Added) != 0 || !slices.Contains(n.Features, 80) {
				t.Errorf("the entry %+v is reported, want one in the place of entry 1", n)
			}
			if !bytes.Contains([]byte(in), []byte("key")) || len(in) > len(entry)-len(entry)/smallerBy {
				t.Errorf("%q takes the place of %q", in, entry)
			}
		}
		return len(r.found) > 0
	})
}

func TestNothingTakesThePlaceOfAnEntryThatHoldsNothing(t *testing.T) {
	s := start(t, func(*testing.T, []byte, *process) {})
	s.seed(1, "a long entry, all of which could be left out")
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 20000}); len(r.found) > 0 {
		t.Errorf("%d entries are reported, want none", len(r.found))
	}
}

// A sample shows edges that a scan would tell of later, with those of executions before. It is of smaller mutants only.
func TestASampleFindsWhatIsNew(t *testing.T) {
	for _, tt := range []struct {
		name, mutant string
		want         cover.Result
		edges        []int
	}{
		{"a smaller mutant", "aaa", cover.Novel, []int{3000}},
		{"one as large as the entry", "aaaaaaaaaaab", cover.Nothing, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, p := offline(t, func(*testing.T, []byte, *process) {}, "aaaaaaaaaaaa")
			w.loop.sampler.holds = []cover.Feature{80}
			w.run.args = input.Args{{Kind: input.Bytes, Data: []byte(tt.mutant)}}
			p.hit(3000) // on a line that few scans look at
			if v := w.loop.sampler.look(); v != tt.want || !slices.Equal(edges(w.loop.sampler.fresh()), tt.edges) {
				t.Errorf("the result is %v with edges %v, want %v with %v", v, edges(w.loop.sampler.fresh()), tt.want, tt.edges)
			}
		})
	}
}

// What runs at the end of an execution leaves traces that are nobody's, and hides those of no execution.
func TestWhatRunsAtTheEndOfAnExecutionDoesNotShow(t *testing.T) {
	w, p := offline(t, func(*testing.T, []byte, *process) {}, "seed")
	ran := 0
	cleanUp := func() { p.hit(7); ran++ }
	p.hit(3000) // on a line that few scans look at
	if v := w.loop.sampler.scan(); v != cover.Nothing {
		t.Fatalf("the first scan says %v, want nothing", v)
	}
	if w.run.atEnd(cleanUp) || ran > 0 {
		t.Fatal("it runs while there is something that no scan has looked at")
	}
	if v := w.loop.sampler.scan(); v != cover.Novel || !slices.Equal(edges(w.run.cov.Fresh(nil)), []int{3000}) {
		t.Errorf("the next scan says %v and has seen the edges %v, want that of the execution", v, edges(w.run.cov.Fresh(nil)))
	}
	if !w.run.atEnd(cleanUp) || ran != 1 {
		t.Error("it does not run when all is seen")
	}
	if v := w.loop.sampler.scan(); v != cover.Nothing {
		t.Errorf("the scan after it says %v, want nothing", v)
	}
}

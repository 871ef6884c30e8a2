//go:build unix

package worker

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// chaseSeeds is how many seeds are tried: with one, chance could decide.
const chaseSeeds = 10

func TestComparisonsBehindASuggestionAreChased(t *testing.T) {
	tests := []struct {
		name string
		pass func(first, second []byte) bool
	}{
		{"a place that was not reached before", func(first, second []byte) bool {
			return isWord(first, "section", 1) && isWord(second, "needed", 2)
		}},
		{"a value that was missing", func(first, second []byte) bool {
			if !isWord(first, "section", 1) {
				second = nil
			}
			return isWord(second, "needed", 2)
		}},
		{"three in a row", func(first, second []byte) bool {
			return isWord(first, "section", 1) && isWord(second, "needed", 2) && isWord(first[:len(first)-len("section")], "some", 3)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// Words of comparisons are off: a chain that starts with one of the two would get the other one by chance.
			for _, off := range []technique.Set{technique.Tokens, technique.Tokens | technique.ValueProfile} {
				solved := 0
				for seed := range uint64(chaseSeeds) {
					s := without(t, off, func(_ *testing.T, data []byte, p *process) {
						if first, second, ok := bytes.Cut(data, []byte("=")); ok && tt.pass(first, second) {
							p.hit(1) // nothing shows before
						}
					})
					s.send(wire.Setup{Seed: seed, TrimMax: 256, Without: off, NoClock: true})
					s.seed(1, "keyword:chapter=nothing")
					// More executions would find it by chance.
					r := s.fuzz(wire.Fuzz{ID: 1, Execs: 400, Study: true, Solve: true})
					i := slices.IndexFunc(r.found, func(n wire.New) bool { return slices.Equal(edges(n.Added), []int{1}) })
					if i < 0 {
						continue
					}
					solved++
					if maker := r.found[i].Maker; maker != technique.ByChasing {
						t.Errorf("the input is from %v", maker)
					}
				}
				want := chaseSeeds
				if off.Has(technique.ValueProfile) {
					want = 0
				}
				if solved != want {
					t.Errorf("without %b, solved with %d of %d seeds, want %d", off, solved, chaseSeeds, want)
				}
			}
		})
	}
}

// A suggestion that ends the process is skipped in the next request, and not what comes behind it.
func TestComparisonsBehindTheOthersAreChasedWhenOneIsSkipped(t *testing.T) {
	s := without(t, 0, func(_ *testing.T, data []byte, p *process) {
		first, second, ok := bytes.Cut(data, []byte("="))
		if !ok {
			return
		}
		if one, other := isWord(first, "section", 1), isWord(first, "passage", 2); (one || other) && isWord(second, "needed", 3) {
			p.hit(1) // nothing shows before
		}
	})
	s.seed(1, "keyword:chapter=nothing")
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: 1000, Study: true, Solve: true, Skip: 1})
	if !slices.ContainsFunc(r.found, func(n wire.New) bool { return slices.Equal(edges(n.Added), []int{1}) }) {
		t.Errorf("the word behind the other suggestion is not found: %+v", r.done)
	}
}

func TestChasingHasItsShareOfTheTime(t *testing.T) {
	for _, noClock := range []bool{false, true} {
		var s share
		if !s.due(noClock) {
			t.Fatalf("noClock=%v: nothing is chased at first", noClock)
		}
		s.book(time.Second, 1e6)
		if s.due(noClock) {
			t.Errorf("noClock=%v: a second at once is not too much", noClock)
		}
		s.request(chaseShare*time.Second, chaseShare*1e6)
		if !s.due(noClock) {
			t.Errorf("noClock=%v: one part in %d is too much", noClock, chaseShare)
		}
	}
}

// What an entry teaches about tags is tried on another one, which is whole.
func TestTagsAreTriedOnOtherEntries(t *testing.T) {
	const whole = "headers.\x00\x00\x00\x01IDATx1234\x00\x00\x00\x00IEND5678"
	for _, off := range []technique.Set{0, technique.LengthFields} {
		s := without(t, off, func(_ *testing.T, data []byte, p *process) {
			if len(data) == 4 {
				isWord(data, "tRNS", 1)
			}
			if bytes.Contains(data, []byte("\x00\x00\x00\x01tRNSx1234\x00\x00\x00\x01IDATx1234")) && bytes.HasSuffix(data, []byte("IEND5678")) {
				p.hit(1)
			}
		})
		s.seed(1, whole)
		s.seed(2, "zzzz")
		r := s.fuzz(wire.Fuzz{ID: 2, Execs: 300, Study: true, Solve: true, Trim: wire.TrimGrown})
		at := slices.IndexFunc(r.found, func(n wire.New) bool { return slices.Contains(edges(n.Added), 1) })
		if found, want := at >= 0, off == 0; found != want {
			t.Errorf("without %b, found: %v, want %v", off, found, want)
		}
		if at >= 0 && !strings.HasPrefix(text(t, r.found[at].Input), "headers.") {
			t.Errorf("%q has not inherited the headers of what it was made of", text(t, r.found[at].Input))
		}
	}
}

//go:build unix

package work

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// The roadblocks below call the hooks of package compare as the compiler has instrumented code do it.

// isLength reports whether data is n bytes long.
func isLength(data []byte, n, site uint) bool {
	compare.ConstCmp8(uint64(n), uint64(len(data)), site)
	return len(data) == int(n)
}

// isMagic reports whether data has the big-endian number magic at a position.
func isMagic(data []byte, at int, magic uint32, site uint) bool {
	if len(data) < at+4 {
		return false
	}
	v := binary.BigEndian.Uint32(data[at:])
	compare.ConstCmp4(magic, v, site)
	return v == magic
}

// isWord reports whether data ends with a word.
func isWord(data []byte, word string, site uint) bool {
	end := string(data[max(0, len(data)-len(word)):])
	compare.StrCmp(end, word, site)
	return end == word
}

// requestExecs is what one roadblock may cost: the study, a few suggestions, and two repetitions of the one that passes.
const requestExecs = 8

func TestSolveFindsWhatTheTargetComparesWith(t *testing.T) {
	tests := []struct {
		name   string
		seed   string
		passes []func(data []byte) bool // one after the other; each one is an edge
	}{
		{"a magic number", "what is here?", []func([]byte) bool{
			func(data []byte) bool { return isMagic(data, 5, 0xfeedface, 1) },
		}},
		{"a length", "seed", []func([]byte) bool{
			func(data []byte) bool { return isLength(data, 1000, 1) },
		}},
		{"a string", "the word is no", []func([]byte) bool{
			func(data []byte) bool { return isWord(data, "mellon", 1) },
		}},
		{"a string behind a magic number behind a length", "seed", []func([]byte) bool{
			func(data []byte) bool { return isLength(data, 24, 1) },
			func(data []byte) bool { return isMagic(data, 0, 0xcafebabe, 2) },
			func(data []byte) bool { return isWord(data, "mellon", 3) },
		}},
		{"in spite of a target that changes its argument", "what is here?", []func([]byte) bool{
			func(data []byte) bool {
				defer clear(data)
				return isMagic(data, 5, 0xfeedface, 1)
			},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, func(_ *testing.T, data []byte, p *process) {
				for i, pass := range tt.passes {
					if !pass(data) {
						return
					}
					p.hit(i + 1)
				}
			})
			s.seed(1, tt.seed)
			entry := packed(tt.seed)
			for i := range tt.passes { // each request works on what the one before found, as with a coordinator
				s.send(wire.Entry{ID: uint64(i), Input: entry})
				r := s.fuzz(wire.Fuzz{ID: uint64(i), Execs: requestExecs, Study: true, Solve: true})
				at := slices.IndexFunc(r.found, func(n wire.New) bool { return slices.Equal(edges(n.Added), []int{i + 1}) })
				if at < 0 {
					t.Fatalf("%d executions for %q brought %+v, want roadblock %d passed", requestExecs, text(t, entry), r, i+1)
				}
				entry = r.found[at].Input
			}
		})
	}
}

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
func TestAFailureOfAStrangerEndsTheRequest(t *testing.T) {
	s := start(t, func(t *testing.T, _ []byte, p *process) {
		setUp()
		if p.calls == 6 {
			t.FailNow()
		}
	})
	s.seed(1, "what is here?")
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true}); len(r.failed) != 1 || r.done.Execs != 3 || r.done.Solved {
		t.Fatalf("the request brought %+v, want the failure of a stranger", r)
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true}); len(r.failed) > 0 || r.done.Execs != 200 {
		t.Errorf("the next request brought %+v", r)
	}
}

// The log that is left then is that of a stranger.
func TestARequestThatEndsWithAStrangerHasSolvedNothing(t *testing.T) {
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

// Without the systematic part, random mutants use the comparisons nevertheless.
func TestRandomMutantsUseTheStudy(t *testing.T) {
	for _, study := range []bool{true, false} {
		s := start(t, func(_ *testing.T, data []byte, p *process) {
			if isMagic(data, 5, 0xfeedface, 1) {
				p.hit(1)
			}
		})
		s.seed(1, "what is here?")
		found := false
		for s.p.calls < 2000 && !found {
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: study})
			found = len(r.found) > 0
			if r.done.Tried != 0 || !r.done.Solved {
				t.Errorf("without Solve, the request says %+v", r.done)
			}
		}
		if found != study {
			t.Errorf("Study=%v: the magic number was found: %v, after %d executions", study, found, s.p.calls)
		}
	}
}

// suggesting is a target whose comparisons suggest several edits, of which some do not apply.
func suggesting(_ *testing.T, data []byte, _ *process) {
	isLength(data, 1, 1) // never empty
	isMagic(data, 3, 0x01020304, 2)
	compare.ConstCmp8(7000, 123, 3) // in decimal
	compare.StrCmp("left", "right", 4)
	compare.EqualFold("", "tail", 5)
}

const suggestingSeed = "123,abcd,left,RIGHT,123"

// The suggestions that one request tries are those that several requests try, each of which continues where the one
// before stopped.
func TestSkipContinuesWhereAnEarlierRequestStopped(t *testing.T) {
	whole := start(t, suggesting)
	whole.seed(1, suggestingSeed)
	before := whole.p.calls
	r := whole.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true})
	total := r.done.Tried
	if total < 15 || total >= 199 || !r.done.Solved {
		t.Fatalf("one request says %+v, want some suggestions, all of them tried", r.done)
	}
	want := whole.p.inputs[before+1:]
	for _, execs := range []uint64{2, 3, 7, 100} {
		t.Run(fmt.Sprintf("execs=%d", execs), func(t *testing.T) {
			s := start(t, suggesting)
			s.seed(1, suggestingSeed)
			var got [][]byte
			tried, requests := uint64(0), 0
			for solved := false; !solved; requests++ {
				before := s.p.calls
				r := s.fuzz(wire.Fuzz{ID: 1, Execs: execs, Study: true, Solve: true, Skip: tried})
				if study := s.p.inputs[before]; string(study) != suggestingSeed {
					t.Fatalf("request %d studies %q", requests, study)
				}
				if r.done.Execs != execs || r.done.Tried <= tried || r.done.Tried > total || r.done.Solved != (r.done.Tried == total) {
					t.Fatalf("request %d, with %d of %d suggestions to skip, says %+v", requests, tried, total, r.done)
				}
				got = append(got, s.p.inputs[before+1:]...)
				tried, solved = r.done.Tried, r.done.Solved
			}
			got = got[:len(got)-int(execs)+1] // the last request ends with random mutants
			if !slices.EqualFunc(got, want[:len(got)], bytes.Equal) {
				t.Errorf("%d requests tried %q, want %q", requests, got, want[:len(got)])
			}
		})
	}
	t.Run("more than there are", func(t *testing.T) {
		r := whole.fuzz(wire.Fuzz{ID: 1, Execs: 10, Study: true, Solve: true, Skip: 1 << 40})
		if r.done.Execs != 10 || r.done.Tried != total || !r.done.Solved {
			t.Errorf("the request says %+v, want %d tried", r.done, total)
		}
	})
}

func TestSuggestionsAreForgottenWithTheRequest(t *testing.T) {
	s := start(t, suggesting)
	s.seed(1, suggestingSeed)
	s.seed(2, "else")
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 3, Study: true, Solve: true}); r.done.Tried == 0 || r.done.Solved {
		t.Fatalf("the request says %+v, want a part of the suggestions tried", r.done)
	}
	for _, m := range []wire.Fuzz{{ID: 2, Execs: 3}, {ID: 2, Execs: 3, Solve: true}, {ID: 99, Execs: 3, Study: true, Solve: true}} {
		if r := s.fuzz(m); r.done.Tried != 0 || !r.done.Solved {
			t.Errorf("%+v says %+v, want nothing to try", m, r.done)
		}
	}
}

func TestLimitsAreExactWithStudy(t *testing.T) {
	targets := map[string]pretend{
		"nothing new": suggesting,
		"touches T": func(t *testing.T, data []byte, p *process) {
			t.Helper()
			suggesting(t, data, p)
		},
		"skips": func(t *testing.T, data []byte, p *process) {
			suggesting(t, data, p)
			t.SkipNow()
		},
		"compares nothing":  func(*testing.T, []byte, *process) {},
		"compares too much": func(*testing.T, []byte, *process) { setUp() },
		"new edges, trimmed": func(t *testing.T, data []byte, p *process) {
			suggesting(t, data, p)
			for _, c := range data {
				p.hit(1 + int(c))
			}
		},
	}
	for name, target := range targets {
		for _, solve := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/solve=%v", name, solve), func(t *testing.T) {
				s := start(t, target)
				s.seed(1, suggestingSeed)
				for execs := uint64(1); execs < 60; execs++ {
					before := s.p.calls
					r := s.fuzz(wire.Fuzz{ID: 1, Execs: execs, Trim: wire.TrimAll, Study: true, Solve: solve})
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
}

// A study is not what a mutant shows: the hits of both must not add up.
func TestAStudyLeavesNoTrace(t *testing.T) {
	for _, touch := range []bool{false, true} {
		s := start(t, func(t *testing.T, data []byte, p *process) {
			if touch {
				t.Helper()
			}
			suggesting(t, data, p)
			for range 3 {
				p.hit(64)
			}
		})
		s.seed(1, suggestingSeed)
		for range 20 {
			if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 5, Study: true, Solve: true}); len(r.found) > 0 || r.done.Execs != 5 {
				t.Fatalf("touch=%v: a request brought %+v", touch, r)
			}
		}
		want := 3 + 20*5
		if touch {
			want++ // the calibration of the seed, which was begun near the target
		}
		if s.p.calls != want {
			t.Errorf("touch=%v: %d calls, want %d: something was calibrated", touch, s.p.calls, want)
		}
	}
}

func TestAFailingStudyEndsTheRequest(t *testing.T) {
	for _, how := range []string{"fail", "now", "panic", "goexit"} {
		t.Run(how, func(t *testing.T) {
			broken := false
			s := start(t, func(t *testing.T, data []byte, p *process) {
				suggesting(t, data, p)
				if broken {
					clear(data)
					misbehave(t, []byte(how), p)
				}
			})
			s.seed(1, suggestingSeed)
			before := s.p.calls
			broken = true
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100, Study: true, Solve: true})
			broken = false
			if len(r.failed) != 1 || r.failed[0].Trimming || text(t, r.failed[0].Input) != suggestingSeed {
				t.Fatalf("the request brought the failures %+v, want that of the entry", r.failed)
			}
			if r.done.Execs != 1 || s.p.calls != before+1 || r.done.Tried != 0 || !r.done.Solved {
				t.Errorf("the request says %+v after %d executions, want one and nothing to try", r.done, s.p.calls-before)
			}
			again := s.fuzz(wire.Fuzz{ID: 1, Execs: 100, Study: true, Solve: true})
			if len(again.failed) > 0 || again.done.Execs != 100 || again.done.Tried == 0 {
				t.Errorf("when the target passes, the request says %+v", again.done)
			}
		})
	}
}

// A suggestion that fails ends the request; the next one continues behind it.
func TestAFailingSuggestionIsNotTriedAgain(t *testing.T) {
	fails := func(data []byte) bool { return bytes.HasPrefix(data, []byte("7000,")) }
	s := start(t, func(t *testing.T, data []byte, p *process) {
		suggesting(t, data, p)
		if fails(data) {
			t.FailNow()
		}
	})
	s.seed(1, suggestingSeed)
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100, Study: true, Solve: true})
	if len(r.failed) != 1 || !fails([]byte(text(t, r.failed[0].Input))) || r.done.Tried == 0 || r.done.Solved {
		t.Fatalf("the request brought %+v, want the failure of a suggestion", r)
	}
	before := s.p.calls
	again := s.fuzz(wire.Fuzz{ID: 1, Execs: 4, Study: true, Solve: true, Skip: r.done.Tried})
	if len(again.failed) > 0 || again.done.Tried <= r.done.Tried || slices.ContainsFunc(s.p.inputs[before:], fails) {
		t.Errorf("the next request brought %+v", again)
	}
}

func TestRepairsThatBringNothingAreRare(t *testing.T) {
	for _, tt := range []struct {
		name            string
		repairs, others luck
		want            bool
	}{
		{"nothing is known", luck{}, luck{}, false},
		{"too little is known", luck{cost: 1000}, luck{1000, minWins - 1}, false},
		{"repairs bring nothing", luck{cost: 1000}, luck{1000, minWins}, true},
		{"repairs bring as much", luck{1000, minWins}, luck{1000, minWins}, false},
		{"repairs bring a little less", luck{1000, minWins / 2}, luck{1000, minWins}, false},
		{"repairs bring as much and cost ten times as much", luck{10000, minWins}, luck{1000, minWins}, true},
		{"others bring nothing", luck{1000, 1}, luck{cost: 1e6}, false},
	} {
		s := solver{repairs: tt.repairs, others: tt.others}
		if s.unlucky() != tt.want {
			t.Errorf("%s: unlucky is %v", tt.name, !tt.want)
		}
	}
}

func TestWhatSuggestionsInsertIsLimited(t *testing.T) {
	var words []byte // at both ends of the input
	var records []compare.Record
	for i := range 40 {
		word := fmt.Appendf(nil, "word%d", i)
		words = append(append(words, word...), ' ')
		records = append(records, compare.Record{Site: uint(1 + i), Op: compare.Str, SA: word, SB: []byte("other")})
	}
	text := slices.Concat(words, bytes.Repeat([]byte{' '}, 1<<20), words)
	var s solver
	s.table.Fill(records)
	s.list(input.Args{{Kind: input.Bytes, Data: text}}, 0)
	if n := len(s.text); len(s.edits) == 0 || n > 2*maxText {
		t.Errorf("%d suggestions insert %d bytes, want at most %d", len(s.edits), n, 2*maxText)
	}
}

// A target that takes the square of the size of its input would take ten seconds for the first one of 64 KiB.
func TestNoSuggestionIsMuchLargerThanWhatWasFast(t *testing.T) {
	const wanted = 60000
	s := start(t, func(_ *testing.T, data []byte, _ *process) { isLength(data, wanted, 1) })
	s.seed(1, "seed")
	s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true})
	largest, grown := largeSolved/sizeStep, 0
	for _, b := range s.p.inputs {
		if len(b) > sizeStep*largest {
			t.Errorf("an input of %d bytes behind one of %d", len(b), largest)
		}
		if len(b) > largest {
			largest = len(b)
			grown++
		}
	}
	if grown == 0 {
		t.Error("no input is as large as any that would be timed")
	}
}

// Nothing of a suggestion is lost by its parts: as long as they are fast, it is made again until it is whole.
func TestASuggestionIsMadeAgainUntilItIsWhole(t *testing.T) {
	for _, tt := range []struct {
		name string
		took time.Duration // each of them
		want []int         // sizes
	}{
		{"all are fast", 0, []int{4096, 16384, 60000}},
		{"the first parts are slow", time.Second, []int{4096, 4096}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, seg := segments(t)
			base := input.Args{{Kind: input.Bytes, Data: []byte("seed")}}
			w := &worker{seg: seg, base: base, scratch: base.Clone()}
			w.solver.edits = []solve.Edit{{Resize: 60000}}
			var sizes []int
			for w.load(base); w.suggest() && len(sizes) < maxSteps; w.load(base) {
				sizes = append(sizes, w.scratch.Size())
				w.solver.sizes.size = w.scratch.Size()
				w.solver.sizes.learn(tt.took)
			}
			if !slices.Equal(sizes, tt.want) || w.solver.busy() {
				t.Errorf("inputs of %d bytes are made, %d suggestions are tried; want %d", sizes, w.solver.tried, tt.want)
			}
		})
	}
}

//go:build unix

package worker

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// without is a session without some techniques.
func without(t *testing.T, off technique.Set, f pretend) *session {
	s := start(t, f)
	s.send(wire.Setup{Seed: 1, TrimMax: 256, Without: off, NoClock: true})
	return s
}

// variantExecs is what an entry of a few bytes may cost whose variants are made.
const variantExecs = 300

func TestPreemptEndsAStudy(t *testing.T) {
	for name, call := range map[string]func(*testing.T, []byte, *process){
		"there are suggestions":                  suggesting,
		"variants might bring the first of them": func(*testing.T, []byte, *process) {},
	} {
		t.Run(name, func(t *testing.T) {
			s := without(t, 0, func(t *testing.T, data []byte, p *process) {
				call(t, data, p)
				if p.calls == 10 {
					p.coord.Preempt()
				}
			})
			s.seed(1, suggestingSeed)
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true})
			if s.p.calls != 10 || r.done.Execs >= 10 || r.done.Solved {
				t.Errorf("preempted in call 10, the worker made %d calls and says %+v", s.p.calls, r.done)
			}
		})
	}
}

// A candidate of the trimmer that fails ends the study, but what the variant has shown is kept.
func TestAVariantIsKeptIfAFailureEndsItsTrimming(t *testing.T) {
	for _, how := range []string{"fail", "now", "panic", "goexit"} {
		t.Run(how, func(t *testing.T) {
			s := without(t, 0, func(t *testing.T, data []byte, p *process) {
				if len(data) < 4 {
					misbehave(t, []byte(how), p)
				} else if data[0] != 'a' {
					p.hit(1)
				}
			})
			s.seed(1, "abcd")
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 250, Study: true, Solve: true, Trim: wire.TrimAll})
			if len(r.found) != 1 || !slices.Equal(edges(r.found[0].Added), []int{1}) || len(text(t, r.found[0].Input)) != 4 {
				t.Fatalf("the request brought %+v, want an input of 4 bytes with edge 1", r.found)
			}
			if len(r.failed) != 1 || !r.failed[0].Trimming || len(text(t, r.failed[0].Input)) > 3 {
				t.Errorf("the request brought the failures %+v, want one of the trimmer", r.failed)
			}
		})
	}
}

func TestAnEntryIsStudiedAgainAfterAVariantFailed(t *testing.T) {
	const seed = "abc 12"
	s := without(t, 0, func(t *testing.T, data []byte, p *process) {
		p.hit(1)
		compare.ConstCmp8(3000000037, uint64(len(data)), 1)
		if string(data) != seed {
			t.Fatal("only the seed passes")
		}
	})
	s.seed(1, seed)
	for n := range 3 {
		r := s.fuzz(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true})
		if r.failed == nil {
			t.Fatalf("request %d ends with %+v, want the failure of a mutant", n, r.done)
		}
	}
}

func TestTheSegmentTellsWhichSuggestionIsTried(t *testing.T) {
	var s *session
	var at []uint64 // what the segment has while the solution is executed
	s = without(t, technique.Colorize, func(_ *testing.T, data []byte, p *process) {
		if len(data) != 8 {
			return
		}
		n := binary.LittleEndian.Uint64(data)
		compare.ConstCmp8(1234567890123456789, n, 1)
		if n == 1234567890123456789 {
			at = append(at, s.seg.Tried())
			p.hit(1)
		}
	})
	s.seed(1, "abcdefgh")
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: 4096, Study: true, Solve: true})
	if len(at) == 0 || len(r.found) == 0 {
		t.Fatalf("the comparison is not solved: %+v", r.done)
	}
	if at[0] == 0 || at[0] > r.done.Tried {
		t.Errorf("the segment has %d, want 1 to %d", at[0], r.done.Tried)
	}
}

// A candidate of the trimmer that touches its T ends the study too, but that is begun again.
func TestAVariantIsTrimmedIfACandidateTouchesItsT(t *testing.T) {
	for _, how := range []string{"skip", "touch"} {
		t.Run(how, func(t *testing.T) {
			stages := map[shm.Stage]int{}
			s := without(t, 0, func(t *testing.T, data []byte, p *process) {
				if string(data) == "abcd" { // no candidate of the trimmer
					stages[p.coord.Stage()]++
				}
				if len(data) < 2 {
					misbehave(t, []byte(how), p)
				} else if data[0] != 'a' {
					p.hit(1)
				}
			})
			s.seed(1, "abcd")
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 250, Study: true, Solve: true, Trim: wire.TrimAll})
			if len(r.failed) != 0 || len(r.found) != 1 || len(text(t, r.found[0].Input)) != 2 {
				t.Errorf("the request brought %+v and the failures %+v, want an input of 2 bytes", r.found, r.failed)
			}
			if stages[shm.Trimming] != 0 || stages[shm.Fuzzing] < 2 {
				t.Errorf("the entry was executed in the stages %v, want none of the trimmer's", stages)
			}
		})
	}
}

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
					s.wantGranted(wire.Fuzz{ID: 1, Execs: execs, Trim: wire.TrimAll, Study: true, Solve: solve})
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

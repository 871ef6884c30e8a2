//go:build unix

package worker

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

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

const suggestingSeed = "123,abcd,left,RIGHT,123"

// suggesting is a target whose comparisons suggest several edits, of which some do not apply.
func suggesting(_ *testing.T, data []byte, _ *process) {
	isLength(data, 1, 1) // never empty
	isMagic(data, 3, 0x01020304, 2)
	compare.ConstCmp8(7000, 123, 3) // in decimal
	compare.StrCmp("left", "right", 4)
	compare.EqualFold("", "tail", 5)
}

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

func TestWhatSuggestionsInsertIsLimited(t *testing.T) {
	var words []byte // at both ends of the input
	var records []compare.Record
	for i := range 40 {
		word := fmt.Appendf(nil, "word%d", i)
		words = append(append(words, word...), ' ')
		records = append(records, compare.Record{Site: uint(1 + i), Op: compare.Str, SA: word, SB: []byte("other")})
	}
	text := slices.Concat(words, bytes.Repeat([]byte{' '}, 1<<20), words)
	var s suggestions
	s.log.Fill(records)
	s.fill(input.Args{{Kind: input.Bytes, Data: text}}, 0)
	if n := len(s.text); len(s.edits) == 0 || n > 2*maxText {
		t.Errorf("%d suggestions insert %d bytes, want at most %d", len(s.edits), n, 2*maxText)
	}
}

//go:build unix

package worker

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// A word that is in no mutant is not rewarded for it.
func TestWordsAreThoseOfTheMutantAtHand(t *testing.T) {
	const word = "BEGIN_WORK"
	mutants := func(t *testing.T, f pretend) *worker {
		w, _ := offline(t, f, "a seed of some bytes")
		w.mut.havoc.Tokens = [][]byte{[]byte(word)}
		return w
	}
	used := func(w *worker) bool { return len(w.mut.words) > 0 }
	toUse := func(w *worker) {
		for !used(w) {
			w.mut.derive()
		}
	}
	t.Run("not when a comparison suggests the mutant", func(t *testing.T) {
		w := mutants(t, func(*testing.T, []byte, *process) {})
		w.list.log.Fill([]compare.Record{{Site: 1, Op: compare.Str, SA: []byte("seed"), SB: []byte("SEED_OF_A_TREE")}})
		changed := 0
		w.mut.havoc.Trace = func(string) { changed++ }
		alone := 0
		for range 1000 {
			toUse(w)
			w.mut.batch.drop()
			w.mut.batch.size, changed = 1, 0
			if w.mut.derive(); changed == 0 {
				if alone++; used(w) {
					t.Fatal("the words are those of the mutant before")
				}
			}
		}
		if alone == 0 {
			t.Error("no mutant is a suggestion alone")
		}
	})
	t.Run("not for variants", func(t *testing.T) {
		w := mutants(t, func(_ *testing.T, data []byte, p *process) {
			if data[0] != 'a' {
				p.hit(1)
			}
		})
		w.setup.NoClock = true
		toUse(w)
		w.run.limit = 1000
		if _, err := w.study.entry(wire.Fuzz{ID: 1, Solve: true}); err != nil || !w.run.cov.Known(8) {
			t.Fatalf("study = %v, a variant has shown something new: %v", err, w.run.cov.Known(8))
		}
		if w.mut.havoc.Scores != (mutate.Scores{}) {
			t.Error("the word is rewarded")
		}
	})
	for _, newest := range []bool{true, false} {
		t.Run(fmt.Sprintf("the newest input has shown it late: %v", newest), func(t *testing.T) {
			w := mutants(t, func(_ *testing.T, data []byte, p *process) {
				if string(data) == "new" {
					p.hit(1)
				}
			})
			toUse(w)
			w.feed.pending = []cover.Feature{8}
			for _, in := range []string{"one", "new", "two"} {
				w.feed.recent = append(w.feed.recent, input.Args{{Kind: input.Bytes, Data: []byte(in)}})
			}
			w.run.cov.Merge([]cover.Feature{0})
			if newest {
				w.feed.recent = w.feed.recent[1:]
			}
			if _, err := w.feed.attribute(wire.TrimNothing); err != nil || !w.run.cov.Known(8) {
				t.Fatalf("attribute = %v, and what was new is known: %v", err, w.run.cov.Known(8))
			}
			if rewarded := w.mut.havoc.Scores != (mutate.Scores{}); rewarded != newest {
				t.Errorf("the word is rewarded: %v", rewarded)
			}
		})
	}
}

func TestTheOldestWordMakesRoom(t *testing.T) {
	var v vocabulary
	var list [][]byte
	for i := range maxLearned + 3 {
		v.add(&list, fmt.Appendf(nil, "word %d", i))
		v.add(&list, fmt.Appendf(nil, "word %d", i))
	}
	if len(list) != maxLearned || len(v.known) != maxLearned {
		t.Fatalf("%d words are kept and %d known, want %d", len(list), len(v.known), maxLearned)
	}
	has := func(word string) bool {
		return slices.ContainsFunc(list, func(b []byte) bool { return string(b) == word })
	}
	if has("word 2") || !has("word 3") || !has(fmt.Sprintf("word %d", maxLearned+2)) {
		t.Error("the words that are kept are not the newest ones")
	}
}

func TestWordsTurnUpInMutants(t *testing.T) {
	s := start(t, func(*testing.T, []byte, *process) {})
	s.seed(1, "one two three")
	s.send(wire.Words{List: [][]byte{[]byte("BEGIN_WORK"), []byte("COMMIT_WORK")}})
	s.fuzz(wire.Fuzz{ID: 1, Execs: 5000})
	for _, word := range []string{"BEGIN_WORK", "COMMIT_WORK"} {
		if n := bytes.Count(bytes.Join(s.p.inputs, nil), []byte(word)); n < 10 {
			t.Errorf("%s turns up %d times in %d mutants", word, n, len(s.p.inputs))
		}
	}
}

//go:build unix

package work

import (
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
		w, _ := newWorker(t, f, "a seed of some bytes")
		w.havoc.Tokens = [][]byte{[]byte(word)}
		return w
	}
	used := func(w *worker) bool { return len(w.words) > 0 }
	toUse := func(w *worker) {
		for !used(w) {
			w.derive()
		}
	}
	t.Run("not when a comparison suggests the mutant", func(t *testing.T) {
		w := mutants(t, func(*testing.T, []byte, *process) {})
		w.solver.table.Fill([]compare.Record{{Site: 1, Op: compare.Str, SA: []byte("seed"), SB: []byte("SEED_OF_A_TREE")}})
		changed := 0
		w.havoc.Trace = func(string) { changed++ }
		alone := 0
		for range 1000 {
			toUse(w)
			w.batch.drop()
			w.batch.size, changed = 1, 0
			if w.derive(); changed == 0 {
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
		w.limit = 1000
		if _, err := w.study(wire.Fuzz{ID: 1, Solve: true}); err != nil || !w.cov.Known(8) {
			t.Fatalf("study = %v, a variant has shown something new: %v", err, w.cov.Known(8))
		}
		if w.havoc.Scores != (mutate.Scores{}) {
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
			w.pending = []cover.Feature{8}
			for _, in := range []string{"one", "new", "two"} {
				w.recent = append(w.recent, input.Args{{Kind: input.Bytes, Data: []byte(in)}})
			}
			w.cov.Merge([]cover.Feature{0})
			if newest {
				w.recent = w.recent[1:]
			}
			if _, err := w.attribute(wire.TrimNothing); err != nil || !w.cov.Known(8) {
				t.Fatalf("attribute = %v, and what was new is known: %v", err, w.cov.Known(8))
			}
			if rewarded := w.havoc.Scores != (mutate.Scores{}); rewarded != newest {
				t.Errorf("the word is rewarded: %v", rewarded)
			}
		})
	}
}

func TestTheOldestWordMakesRoom(t *testing.T) {
	var v vocabulary
	var list [][]byte
	for i := range maxMet + 3 {
		v.add(&list, fmt.Appendf(nil, "word %d", i))
		v.add(&list, fmt.Appendf(nil, "word %d", i))
	}
	if len(list) != maxMet || len(v.known) != maxMet {
		t.Fatalf("%d words are kept and %d known, want %d", len(list), len(v.known), maxMet)
	}
	has := func(word string) bool {
		return slices.ContainsFunc(list, func(b []byte) bool { return string(b) == word })
	}
	if has("word 2") || !has("word 3") || !has(fmt.Sprintf("word %d", maxMet+2)) {
		t.Error("the words that are kept are not the newest ones")
	}
}

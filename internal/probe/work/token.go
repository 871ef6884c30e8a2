package work

import "github.com/gnaw-fuzz/gnaw/internal/probe/compare"

const (
	// maxMet is how many words that the target compared something with are kept. A new one takes the place of the oldest.
	maxMet = 512
	// Words of other lengths are met by chance or do not fit.
	minWord, maxWord = 2, 48
)

// vocabulary holds the words that the target compared something with.
type vocabulary struct {
	known map[string]bool
	next  int // place of the oldest
}

// meet keeps the strings of a log as words for mutants.
func (w *worker) meet(records []compare.Record) {
	for i := range records {
		for _, text := range [...][]byte{records[i].SA, records[i].SB} {
			if len(text) >= minWord && len(text) <= maxWord {
				w.vocabulary.add(&w.havoc.Met, text)
			}
		}
	}
}

func (v *vocabulary) add(list *[][]byte, word []byte) {
	if v.known[string(word)] {
		return
	}
	if v.known == nil {
		v.known = map[string]bool{}
	}
	word = append([]byte(nil), word...)
	v.known[string(word)] = true
	if len(*list) < maxMet {
		*list = append(*list, word)
		return
	}
	delete(v.known, string((*list)[v.next]))
	(*list)[v.next] = word
	v.next = (v.next + 1) % maxMet
}

// reward notes that the words in the last mutant were worth it.
func (w *worker) reward() {
	for _, i := range w.words {
		w.havoc.Reward(i)
	}
}

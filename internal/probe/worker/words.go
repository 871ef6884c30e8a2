package worker

import "github.com/gnaw-fuzz/gnaw/internal/probe/compare"

const (
	// maxLearned is how many words that the target compared something with are kept. A new one takes the place of the oldest.
	maxLearned = 512
	// minWord and maxWord are the lengths of words: shorter ones match by chance, longer ones do not fit.
	minWord, maxWord = 2, 48
)

// vocabulary knows the words of a list: those that the target compared something with.
type vocabulary struct {
	known map[string]bool
	next  int // place of the oldest
}

// addCompared adds the strings of the records to a list of words.
func (v *vocabulary) addCompared(list *[][]byte, records []compare.Record) {
	for i := range records {
		for _, text := range [...][]byte{records[i].SA, records[i].SB} {
			if len(text) >= minWord && len(text) <= maxWord {
				v.add(list, text)
			}
		}
	}
}

// add adds a copy of a word to a list. If that is full, it takes the place of the oldest.
func (v *vocabulary) add(list *[][]byte, word []byte) {
	if v.known[string(word)] {
		return
	}
	if v.known == nil {
		v.known = map[string]bool{}
	}
	word = append([]byte(nil), word...)
	v.known[string(word)] = true
	if len(*list) < maxLearned {
		*list = append(*list, word)
		return
	}
	delete(v.known, string((*list)[v.next]))
	(*list)[v.next] = word
	v.next = (v.next + 1) % maxLearned
}

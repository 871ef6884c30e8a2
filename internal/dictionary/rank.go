package dictionary

import (
	"cmp"
	"slices"
)

// band is how likely a word is to be of use at all: what is in a later band comes behind all of the earlier ones,
// wherever it stands.
type band uint8

const (
	likely   band = iota // what programs look for in their input
	unlikely             // further encodings of numbers, and numbers that random mutation meets soon anyway
	prose                // texts for people, parts of long texts
)

// class orders the words of a file.
type class uint8

const (
	keyed  class = iota // constants, labels of cases, keys, tags, what is compared or looked for
	plain               // any other literal
	number              // encodings of numbers
)

// rank says how early a word comes.
type rank struct {
	band     band
	distance int // of the file from the fuzz target
	class    class
	order    int // in which it was met
}

func (r rank) compare(s rank) int {
	return cmp.Or(cmp.Compare(r.band, s.band), cmp.Compare(r.distance, s.distance), cmp.Compare(r.class, s.class),
		cmp.Compare(r.order, s.order))
}

// ranking collects words, each with its best rank.
type ranking struct {
	ranks map[string]rank
	met   int
	good  int // words in the band likely
}

func newRanking() *ranking { return &ranking{ranks: map[string]rank{}} }

// add adds a word, unless it is empty or too long to be one.
func (k *ranking) add(text string, b band, distance int, c class) {
	if len(text) == 0 || len(text) > maxWord {
		return
	}
	k.met++
	r := rank{b, distance, c, k.met}
	old, known := k.ranks[text]
	if known && old.compare(r) <= 0 {
		return
	}
	if b == likely && (!known || old.band != likely) {
		k.good++
	}
	k.ranks[text] = r
}

// full reports whether words from further away could not get in any more.
func (k *ranking) full() bool { return k.good >= MaxWords }

// words returns the best words in the order of their ranks.
func (k *ranking) words() [][]byte {
	texts := make([]string, 0, len(k.ranks))
	for t := range k.ranks {
		texts = append(texts, t)
	}
	slices.SortFunc(texts, func(a, b string) int { return k.ranks[a].compare(k.ranks[b]) })
	texts = texts[:min(len(texts), MaxWords)]
	words := make([][]byte, len(texts))
	for i, t := range texts {
		words[i] = []byte(t)
	}
	return words
}

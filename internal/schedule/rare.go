package schedule

import (
	"math"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// Entropic (Böhme, Manès and Cha, "Boosting Fuzzer Efficiency: An Information Theoretic Perspective", ESEC/FSE 2020)
// prefers the entries whose mutants tell most about the program: those that show many different rare features. The
// energy of an entry is the entropy of the rare features that its mutants show, estimated with add-one smoothing.
const (
	// firstLimit: at first a feature is rare that showed in so many samples at most. The paper counts all executions and
	// has 255; one execution in SampleEvery is a sample here.
	firstLimit = 16
	// minRare: with fewer rare features than that, the limit becomes twice as high.
	minRare = 100
	// maxLimit: workers count samples in 16 bits.
	maxLimit = 1 << 15
)

// SampleEvery is how many executions of mutants one sample stands for.
const SampleEvery = 64

// rarity is what the mutants of one entry showed of rare features.
type rarity struct {
	features []cover.Feature // in the order in which they came, so that sums are the same each time
	counts   []uint32
	at       map[cover.Feature]int // index in both
}

func (r *rarity) book(f cover.Feature) {
	if r.at == nil {
		r.at = map[cover.Feature]int{}
	}
	i, known := r.at[f]
	if !known {
		i = len(r.features)
		r.at[f] = i
		r.features, r.counts = append(r.features, f), append(r.counts, 0)
	}
	r.counts[i]++
}

// rareFeatures is what all mutants showed.
type rareFeatures struct {
	entropic bool
	seen     map[cover.Feature]uint64 // samples that showed it, for all features of the corpus
	limit    uint64
	count    int // features seen limit times at most
}

func newRareFeatures(entropic bool) rareFeatures {
	return rareFeatures{entropic: entropic, seen: map[cover.Feature]uint64{}, limit: firstLimit}
}

// add makes a feature known.
func (r *rareFeatures) add(f cover.Feature) {
	if _, known := r.seen[f]; r.entropic && !known {
		r.seen[f] = 0
		r.count++
	}
}

// book counts features for an entry and in all.
func (r *rareFeatures) book(of *rarity, features []cover.Feature) {
	if !r.entropic {
		return
	}
	for _, f := range features {
		r.add(f)
		if n := r.seen[f]; n == r.limit {
			r.count--
		}
		r.seen[f]++
		of.book(f)
	}
}

// refresh raises the limit if too few features are rare.
func (r *rareFeatures) refresh() {
	if !r.entropic || r.limit >= maxLimit || r.count >= min(minRare, len(r.seen)/2) {
		return
	}
	r.limit *= 2
	r.count = 0
	for _, n := range r.seen {
		if n <= r.limit {
			r.count++
		}
	}
}

// energy returns the entropy of an entry in proportion to the largest one, that of an entry which was never mutated: a
// number from 0 to 1. All that is not rare counts as one more feature, which every mutant shows.
func (r *rareFeatures) energy(of *rarity, execs uint64) float64 {
	if r.count < 2 {
		return 1
	}
	abundant := float64(execs/SampleEvery + 1)
	total, sum := float64(r.count)+abundant, abundant*math.Log(abundant)
	for i, f := range of.features {
		if r.seen[f] <= r.limit {
			n := float64(of.counts[i])
			total += n
			sum += (n + 1) * math.Log(n+1)
		}
	}
	return (math.Log(total) - sum/total) / math.Log(float64(r.count+1))
}

// Package schedule decides which entry of the corpus is mutated next.
//
// A [Corpus] holds the entries with what is known about them. [Corpus.Pick] draws one at random: small, fast and new
// entries more often, and those that are the best witness of some feature much more often than those that are not.
// The package runs nothing and looks at no clock. A Corpus is not safe for concurrent use.
package schedule

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// Entry is an input of the corpus with its metadata. Its fields are not changed after Add.
type Entry struct {
	ID       uint64
	Args     input.Args
	Duration time.Duration   // of one execution
	Features []cover.Feature // all that it shows reliably
	Edges    int             // counters that it was the first to hit
	Path     string          // file; empty if there is none
}

// state is what the schedule knows about an entry.
type state struct {
	entry  *Entry
	picks  int     // times it was picked
	best   int     // features of which it is the best witness
	tried  uint64  // suggestions of its comparisons that were tried
	solved bool    // all of them were
	cost   float64 // duration times size
}

// Weights of the draw. The factors for speed are the steps that libFuzzer and AFL use, on the median instead of the
// mean; the rest are the defaults of AFL++'s explore schedule, rounded.
const (
	neverPicked = 2.5  // until its first pick
	firstEdge   = 4    // first to hit a counter, until its first pick
	noWitness   = 0.25 // shows nothing that a better entry does not
	rebuildAt   = 64   // picks between two computations of all weights
)

// Corpus is the set of entries and the state of the schedule.
type Corpus struct {
	states  []*state
	byID    map[uint64]*state
	witness map[cover.Feature]*state // cheapest entry that shows the feature
	total   []float64                // running sums of the weights
	stale   int                      // picks since the weights were computed; -1: entries came or went
	random  *rand.Rand
}

// New returns an empty corpus whose draws follow from seed.
func New(seed uint64) *Corpus {
	return &Corpus{
		byID: map[uint64]*state{}, witness: map[cover.Feature]*state{}, random: rand.New(rand.NewPCG(seed, 1)), stale: -1,
	}
}

// Len returns the number of entries.
func (c *Corpus) Len() int { return len(c.states) }

// Entry returns the entry with the number, nil if there is none.
func (c *Corpus) Entry(id uint64) *Entry {
	if s := c.byID[id]; s != nil {
		return s.entry
	}
	return nil
}

// Add adds an entry, which the Corpus keeps.
func (c *Corpus) Add(e *Entry) {
	s := &state{entry: e, cost: float64(e.Duration+1) * float64(e.Args.Size()+8)}
	c.states = append(c.states, s)
	c.byID[e.ID] = s
	for _, f := range e.Features {
		old := c.witness[f]
		if old != nil && old.cost <= s.cost {
			continue
		}
		if old != nil {
			old.best--
		}
		s.best++
		c.witness[f] = s
	}
	c.stale = -1
}

// Pick draws the entry to mutate next; nil if there is none.
func (c *Corpus) Pick() *Entry {
	if len(c.states) == 0 {
		return nil
	}
	if c.stale < 0 || c.stale >= rebuildAt {
		c.weigh()
	}
	c.stale++
	x := c.random.Float64() * c.total[len(c.total)-1]
	i, _ := slices.BinarySearch(c.total, x)
	s := c.states[min(i, len(c.states)-1)]
	s.picks++
	if s.picks == 1 {
		c.stale = -1
	}
	return s.entry
}

// Unsolved reports whether there may be suggestions of the comparisons of an entry that were not tried, and how many
// were.
func (c *Corpus) Unsolved(id uint64) (tried uint64, unsolved bool) {
	s := c.byID[id]
	return s.tried, !s.solved
}

// Solved notes how many suggestions of the comparisons of an entry were tried, and whether these are all.
func (c *Corpus) Solved(id, tried uint64, all bool) {
	if s := c.byID[id]; s != nil {
		s.tried, s.solved = tried, all
	}
}

// Random draws any entry, each as likely as the other; nil if there is none.
func (c *Corpus) Random() *Entry {
	if len(c.states) == 0 {
		return nil
	}
	return c.states[c.random.IntN(len(c.states))].entry
}

// weigh computes the weights of all entries.
func (c *Corpus) weigh() {
	durations := make([]float64, len(c.states))
	sizes := make([]float64, len(c.states))
	for i, s := range c.states {
		durations[i], sizes[i] = float64(s.entry.Duration), float64(s.entry.Args.Size()+8)
	}
	duration, size := median(durations), median(sizes)
	c.total = c.total[:0]
	sum := 0.0
	for i, s := range c.states {
		w := speed(durations[i], duration) * math.Min(2, math.Max(0.25, math.Sqrt(size/sizes[i])))
		if s.best == 0 && len(c.witness) > 0 {
			w *= noWitness
		}
		if s.picks == 0 {
			w *= neverPicked
			if s.entry.Edges > 0 {
				w *= firstEdge
			}
		}
		w /= 1 + math.Log2(1+float64(s.picks))/4
		sum += w
		c.total = append(c.total, sum)
	}
	c.stale = 0
}

// speed is the factor for the duration of an entry.
func speed(d, median float64) float64 {
	switch r := d / (median + 1); {
	case r > 10:
		return 0.1
	case r > 4:
		return 0.25
	case r > 2:
		return 0.5
	case r > 1.33:
		return 0.75
	case r < 0.25:
		return 3
	case r < 0.33:
		return 2
	case r < 0.5:
		return 1.5
	}
	return 1
}

// median returns the median of xs. It does not change xs.
func median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return sorted[len(sorted)/2]
}

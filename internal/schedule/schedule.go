// Package schedule chooses the entry of the corpus to mutate next.
//
// A [Corpus] holds the entries and their statistics. [Corpus.Pick] draws one at random: small, fast and new entries more often,
// entries that were picked often less often, and favored entries much more often. An entry is favored if it is the cheapest one
// with some feature; its cost is its duration times its size. The package executes nothing and reads no clock. A Corpus is not
// safe for concurrent use.
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
	Features []cover.Feature // all that it shows reliably, in the one binary that the workers of a target run
	Edges    int             // counters that it was the first to hit
	Path     string          // file; empty if there is none
}

// state is what the schedule knows about an entry.
type state struct {
	entry    *Entry
	index    int     // in states
	picks    int     // times it was picked
	favored  int     // features of which it is the cheapest entry; it is favored if there are some
	tried    uint64  // suggestions of its comparisons that were tried
	solved   bool    // all of them were
	replaced bool    // a smaller one does its work
	failures int     // times that a mutant failed
	cost     float64 // duration times size
	distance int     // see [Corpus.Aim]
}

// Weights of the draw. The factors for speed are the steps that libFuzzer and AFL use, on the median instead of the
// mean; the rest are the defaults of AFL++'s explore schedule, rounded.
const (
	neverPicked = 2.5  // until its first pick
	firstEdge   = 4    // first to hit a counter, until its first pick
	notFavored  = 0.25 // a cheaper entry shows each of its features
	// rebuildAt: all weights are computed anew after so many picks, or a share of the number of entries if that is more.
	rebuildAt    = 64
	rebuildShare = 8
)

// Corpus is the set of entries and the state of the schedule.
type Corpus struct {
	states   []*state
	byID     map[uint64]*state
	cheapest map[cover.Feature]*state // entry that shows the feature
	weights  tree                     // by index in states
	stale    int                      // picks and entries since all weights were computed
	random   *rand.Rand
	duration float64 // medians when the weights were computed
	size     float64
	aim      aim
}

// New returns an empty corpus whose draws follow from seed.
func New(seed uint64) *Corpus {
	return &Corpus{
		byID: map[uint64]*state{}, cheapest: map[cover.Feature]*state{}, random: rand.New(rand.NewPCG(seed, 1)),
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
	s := &state{entry: e, index: len(c.states), cost: float64(e.Duration+1) * float64(e.Args.Size()+8)}
	c.states = append(c.states, s)
	c.byID[e.ID] = s
	for _, f := range e.Features {
		old := c.cheapest[f]
		if old != nil && old.cost <= s.cost {
			continue
		}
		if old != nil {
			if old.favored--; old.favored == 0 {
				c.set(old)
			}
		}
		s.favored++
		c.cheapest[f] = s
	}
	c.measure(s)
	c.weights.append(c.weight(s))
	if c.aim.distance != nil {
		c.aim.near.append(c.nearWeight(s))
	}
	c.stale++
}

// Replace adds e, which is smaller than the entry with the number and shows all features of which that is the cheapest entry. The
// other one is not picked any more and not favored, also if e was slower when it was measured.
func (c *Corpus) Replace(id uint64, e *Entry) {
	c.Add(e)
	old := c.byID[id]
	if old == nil {
		return
	}
	s := c.byID[e.ID]
	for _, f := range e.Features {
		if c.cheapest[f] == old {
			c.cheapest[f] = s
			old.favored--
			s.favored++
		}
	}
	old.replaced = true
	c.set(old)
	c.set(s)
}

// Shows reports whether each of the features is one that an entry shows.
func (c *Corpus) Shows(features []cover.Feature) bool {
	for _, f := range features {
		if c.cheapest[f] == nil {
			return false
		}
	}
	return true
}

// Pick draws the entry to mutate next; nil if there is none.
func (c *Corpus) Pick() *Entry {
	if len(c.states) == 0 {
		return nil
	}
	if c.stale >= max(rebuildAt, len(c.states)/rebuildShare) || c.duration == 0 {
		c.weigh()
	}
	c.stale++
	s := c.draw()
	s.picks++
	c.set(s)
	return s.entry
}

// Random draws any entry, each as likely as the other; nil if there is none.
func (c *Corpus) Random() *Entry {
	if len(c.states) == 0 {
		return nil
	}
	return c.states[c.random.IntN(len(c.states))].entry
}

// Unsolved reports whether there may be suggestions of the comparisons of an entry that were not tried, and how many
// were.
func (c *Corpus) Unsolved(id uint64) (tried uint64, unsolved bool) {
	s := c.byID[id]
	return s.tried, !s.solved
}

// Solved notes how many suggestions of the comparisons of an entry were tried, and whether these are all. A request that
// ended before it came to them takes nothing back.
func (c *Corpus) Solved(id, tried uint64, all bool) {
	if s := c.byID[id]; s != nil {
		s.tried, s.solved = max(s.tried, tried), s.solved || all
	}
}

// Failed notes that a mutant of an entry made the target fail.
func (c *Corpus) Failed(id uint64) {
	if s := c.byID[id]; s != nil {
		s.failures++
	}
}

// Held returns the features that an input must show to take the place of an entry: those of which it is the cheapest entry.
// There are none if it is not favored, or was replaced.
func (c *Corpus) Held(id uint64) (held []cover.Feature) {
	s := c.byID[id]
	if s == nil || s.replaced || s.favored == 0 {
		return nil
	}
	for _, f := range s.entry.Features {
		if c.cheapest[f] == s {
			held = append(held, f)
		}
	}
	return held
}

// weigh computes the weights of all entries.
func (c *Corpus) weigh() {
	durations := make([]float64, len(c.states))
	sizes := make([]float64, len(c.states))
	for i, s := range c.states {
		durations[i], sizes[i] = float64(s.entry.Duration), float64(s.entry.Args.Size()+8)
	}
	c.duration, c.size = median(durations), median(sizes)
	values := make([]float64, len(c.states))
	for i, s := range c.states {
		values[i] = c.weight(s)
	}
	c.weights.fill(values)
	c.weighNear()
	c.stale = 0
}

// weight computes the weight of an entry.
func (c *Corpus) weight(s *state) float64 {
	if s.replaced {
		return 0
	}
	size := float64(s.entry.Args.Size() + 8)
	w := 1 / float64(1+s.failures) * speed(float64(s.entry.Duration), c.duration) * math.Min(2, math.Max(0.25, math.Sqrt(c.size/size)))
	if s.favored == 0 && len(c.cheapest) > 0 {
		w *= notFavored
	}
	if s.picks > 0 {
		return w / (1 + math.Log2(1+float64(s.picks))/4)
	}
	if s.entry.Edges > 0 {
		w *= firstEdge
	}
	return w * neverPicked
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

// median returns the median of xs, which it sorts.
func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}
